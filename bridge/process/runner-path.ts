import type { Clock } from '../../shared/clock/clock.ts'
import type { Log } from '../../shared/log/log.ts'
import type { Metrics } from '../../shared/runtime/runtime.ts'
import {
  createRunner,
  createRunnerMetrics,
  freeMemory,
  type HostedProgram,
  type ObserveRunner,
  type ProgramStarter,
  programEnvironment,
  programStarter,
} from '../runner/runner.ts'
import type { EventPath } from './event-path.ts'
import type { BridgeSettings } from './settings.ts'

/** Delivers events to programs that run beside the bridge. */
export const runnerPath = (options: {
  readonly settings: BridgeSettings & { readonly programs: readonly HostedProgram[] }
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
  /** Returns the URL of the bridge's report receiver. Called when a process starts. */
  readonly reportTo: () => string
  /** Returns the token with which a program proves its reports. */
  readonly reportToken: (program: string) => string
  /** Default: as processes of this machine. */
  readonly starter?: ProgramStarter
  readonly observeRunner?: ObserveRunner
}): EventPath => {
  const { settings, metrics, clock, log, reportTo, reportToken } = options
  const { programs, kubeconfig } = settings
  const runnerMetrics = createRunnerMetrics(metrics)
  const runner = createRunner({
    programs,
    starter:
      options.starter ??
      programStarter({
        folder: settings.programsFolder,
        environment: program =>
          programEnvironment(program, process.env, {
            reportTo: reportTo(),
            reportToken: reportToken(program.name),
            kubeconfig,
          }),
        clock,
        log,
      }),
    clock,
    log,
    idleMs: settings.programIdleMs,
    freeMemory,
    observe: event => {
      runnerMetrics.event(event)
      options.observeRunner?.(event)
    },
  })
  log.info('runner hosts programs', { programs: programs.map(({ name }) => name) })
  return { ...runner, collect: () => runnerMetrics.collect(runner) }
}
