import { Readable } from 'node:stream'
import { stringify } from 'yaml'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { temporaryFiles } from '../../replay/testing/replay-run.ts'
import { type PlanOptions, type PlanOutput, planObjects } from '../plan-object.ts'
import { type Planner, planFunction, planText } from '../planner.ts'

type Given = Partial<PlanOptions> &
  Partial<Pick<PlanOutput, 'env' | 'planners' | 'providers' | 'signal'>> & {
    readonly functions?: readonly FunctionDefinition[]
  }

/** Plans in the test's own process, like the process of `startPlanProcess`. */
const plannerOf = (definition: FunctionDefinition): Planner => ({
  ...definition,
  connect: async () => undefined,
  plan: async (object, { connection: _, ...surroundings }) =>
    planText(await planFunction(definition, { ...surroundings, object }), surroundings.destroy),
})

/** Returns the output of `trellis plan` for files, without calls to a cloud, and whether there are changes. */
export const plan = async (
  what: readonly string[],
  { functions, planners = functions?.map(plannerOf), env, providers, signal, ...options }: Given = {},
): Promise<{ readonly text: string; readonly differs: boolean }> => {
  let text = ''
  const differs = await planObjects(
    what,
    { output: 'text', ...options },
    {
      stdin: Readable.from([]),
      write: more => {
        text += more
      },
      providers: providers ?? (await findProviders()),
      connection: undefined,
      ...(planners && { planners }),
      ...(env && { env }),
      ...(signal && { signal }),
    },
  )
  return { text, differs }
}

/** Plans objects in files of one test file. */
export const planFiles = async () => {
  const files = await temporaryFiles()
  return {
    ...files,
    planOf: async (objects: readonly (KubernetesObject | object)[], given: Given = {}) => {
      const text = objects.map(object => `---\n${stringify(object)}`).join('')
      return plan([await files.write(`${Math.random()}.yaml`, text)], given)
    },
  }
}
