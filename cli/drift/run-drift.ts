import type { Provider } from '../../sandbox/providers/provider.ts'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { print, printError } from '../../shared/terminal/print.ts'
import { printable } from '../../shared/text/printable.ts'
import { encoded, paintOfOutput, wrapped } from '../commands/observe-output.ts'
import { exitCodeOfReading } from '../commands/observing.ts'
import { isText, type OutputFormat } from '../commands/output-format.ts'
import { findShoot } from '../observe/observe.ts'
import { type ClusterOptions, withCluster } from '../open-cluster.ts'
import { paint } from '../plan/paint.ts'
import { connectOnce } from '../plan/plan-one.ts'
import { plannedKindOrThrow, plannedKindsOf } from '../plan/planned-kinds.ts'
import { providerPlanners } from '../plan/planner.ts'
import { startPlanProcess } from '../plan/process/start-plan-process.ts'
import { preferSmallHeap, progressLine } from '../survey/survey.ts'
import { findDrift } from './drift.ts'
import { driftAsText } from './drift-text.ts'

export interface RunDriftOptions extends ClusterOptions {
  readonly all?: boolean
  readonly kind?: readonly string[]
  readonly endpoint?: string
  readonly after?: string
  readonly output: OutputFormat
  /** In seconds. */
  readonly timeout: number
}

/** Finds and prints drift, and returns the exit code. `given`: names of shoots; with `all`, none. */
export const runDrift = async (
  given: readonly string[],
  options: RunDriftOptions,
  providers: readonly Provider[],
): Promise<0 | 1 | 2> => {
  const { all = false, kind: kindsGiven, endpoint, after, output, timeout, ...cluster } = options
  if (given.length > 0 === all) throw new UsageError('give the name of a shoot, or --all')
  const { env } = process
  preferSmallHeap()
  const connect = connectOnce({ endpoint })
  const limit = new AbortController()
  const { signal } = limit
  const cancel = systemClock.after(timeout * 1000, () =>
    limit.abort(new Error(`the search did not end within ${timeout} s (--timeout)`)),
  )
  const functions = await startPlanProcess({
    folders: [],
    env,
    clock: systemClock,
    signal,
    onOutput: printError,
  })
  try {
    const planned = plannedKindsOf([...functions.planners, ...providers.flatMap(providerPlanners)])
    const kinds = kindsGiven?.map(name => plannedKindOrThrow(name, planned, '--kind'))
    const line = progressLine(process.stderr, systemClock)
    const report = await withCluster(cluster, async ({ kubernetes }) =>
      findDrift({
        kubernetes,
        clock: systemClock,
        planned,
        connect,
        env,
        signal,
        ...(kinds && { kinds }),
        ...(!all && {
          shoots: await Promise.all(given.map(async name => findShoot(name, kubernetes, signal))),
        }),
        ...(after !== undefined && { after }),
        ...(isText(output) && isColored(process.stdout, env) && { paint }),
        onProgress: line.show,
      }),
    ).finally(line.clear)
    const { total, unread, unplanned, unknown, drifted, ended } = report
    if (!all && total + unread.length + unplanned.length === 0 && after === undefined)
      throw new UsageError(
        `found no objects of ${given.map(printable).join(', ')}. trellis status lists all shoots`,
      )
    print(
      isText(output)
        ? wrapped(driftAsText(report, paintOfOutput()), output, cluster)
        : encoded(report, output),
    )
    return exitCodeOfReading(drifted.length > 0, unknown.length + unread.length > 0 || ended !== undefined)
  } finally {
    cancel()
    functions.close()
  }
}
