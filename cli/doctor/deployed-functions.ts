import * as z from 'zod'
import type { DeploymentMode } from '../../knative/knative.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import { parsedJson, recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { servedBy } from '../observe/observe.ts'
import { bridgeDeploymentOf, environmentOf } from './bridge-facts.ts'
import { type CheckedSeed, objectsOf } from './checked-seed.ts'
import { targetOf } from './trigger-target.ts'

const programsSchema = z.array(
  z.object({
    name: z.string(),
    functions: z.array(z.object({ name: z.string(), kind: z.string(), types: z.array(z.string()) })),
  }),
)

/** The part of a program of the seed process that the checks read. */
export type CheckedProgram = z.output<typeof programsSchema>[number]

/** Returns the mode of the installation, by its bridge. Without a bridge: `knative`. */
export const modeOf = (seed: Pick<CheckedSeed, 'reads'>): DeploymentMode =>
  programsText(seed) === undefined ? 'knative' : 'seed-process'

/** Returns the programs of the seed process; undefined if they are not valid. */
export const programsOf = (seed: Pick<CheckedSeed, 'reads'>): readonly CheckedProgram[] | undefined =>
  parsePrograms(programsText(seed) ?? '')

export const parsePrograms = (text: string): readonly CheckedProgram[] | undefined =>
  programsSchema.safeParse(parsedJson(text)).data

/** Returns the names of the functions that get events. */
export const deployedNames = (seed: Pick<CheckedSeed, 'reads'>): ReadonlySet<string> =>
  new Set(
    modeOf(seed) === 'seed-process'
      ? functionsOf(seed).map(({ name }) => name)
      : objectsOf(seed, 'triggers').map(trigger => targetOf(trigger).functionName),
  )

/** Returns which objects Trellis serves: by its bridge, as `trellis status` does; without one, by Triggers. */
export const isServedIn = (
  seed: Pick<CheckedSeed, 'reads'>,
): ((object: KubernetesObject) => boolean | 'unknown') => {
  const { deployment } = bridgeDeploymentOf(seed)
  const all = kindNames.flatMap(kind => objectsOf(seed, kind).map(object => ({ ...object, kind })))
  if (deployment !== undefined) return servedBy([deployment], all)
  const routed = isRoutedIn(seed)
  return object => routed(object.kind, stringOf(recordOf(object.spec).type))
}

/** Returns true if a function gets the events of a kind and type. */
const isRoutedIn = (seed: Pick<CheckedSeed, 'reads'>): ((kind: string, provider: string) => boolean) => {
  if (modeOf(seed) === 'seed-process') {
    const functions = functionsOf(seed)
    return (kind, provider) => functions.some(one => one.kind === kind && one.types.includes(provider))
  }
  const filters = objectsOf(seed, 'triggers').map(trigger => targetOf(trigger).passes)
  return (kind, provider) => filters.some(passes => passes?.({ kind, provider }) === true)
}

const functionsOf = (seed: Pick<CheckedSeed, 'reads'>) =>
  (programsOf(seed) ?? []).flatMap(({ functions }) => functions)

const programsText = (seed: Pick<CheckedSeed, 'reads'>): string | undefined =>
  environmentOf(bridgeDeploymentOf(seed).deployment).value('TRELLIS_PROGRAMS')
