import type { Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import type { PlanObject } from './server/start-server.ts'

export interface PlanByKubeconfig {
  readonly kubeconfig: string
  readonly endpoint?: string
  readonly providers: readonly Provider[]
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
}

/** An id of a journal as `trellis plan` takes it: `Worker/shoot--dev--rose/rose`. */
const idPattern = /^([A-Za-z]+) ([a-z0-9.-]+(?:\/[a-z0-9.-]+)?)$/

/** Plans as `trellis plan --kubeconfig` does. All of it is loaded for the first plan. */
export const planByKubeconfig =
  ({ kubeconfig, endpoint, providers, clock, env }: PlanByKubeconfig): PlanObject =>
  async (id, { destroy }) => {
    const [, kind, name] = idPattern.exec(id) ?? []
    if (kind === undefined || name === undefined) throw new UsageError(`${id} is not the id of an object`)
    const [{ planObjects }, { startPlanProcess }] = await Promise.all([
      import('../plan/plan-object.ts'),
      import('../plan/process/start-plan-process.ts'),
    ])
    const functions = await startPlanProcess({ folders: [], env, clock, onOutput: () => {} })
    try {
      let text = ''
      await planObjects(
        [`${kind}/${name}`],
        { kubeconfig, output: 'text', delete: destroy, ...(endpoint !== undefined && { endpoint }) },
        {
          providers,
          planners: functions.planners,
          env,
          stdin: process.stdin,
          write: more => {
            text += more
          },
        },
      )
      return text
    } finally {
      functions.close()
    }
  }
