import type { Clock } from '../clock/clock.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../runtime/runtime.ts'
import { createRunner, type Runner } from './create-runner.ts'
import { freeMemory } from './process/free-memory.ts'
import { programEnvironment } from './process/program-environment.ts'
import { programStarter } from './process/program-starter.ts'
import type { ProgramStarter } from './program-process.ts'
import type { HostedProgram } from './programs.ts'
import type { ObserveRunner } from './runner-event.ts'
import { createRunnerMetrics } from './runner-metrics.ts'

export interface HostedPrograms extends Runner {
  /** Reads the gauges that describe state; call it before metrics are rendered. */
  collect(): void
}

/** Hosts programs of functions in this pod, with their metrics: a runner of processes beside this one. */
export const hostPrograms = (options: {
  readonly programs: readonly HostedProgram[]
  /** Contains a folder for each program. */
  readonly folder: string
  readonly idleMs: number
  /** The kubeconfig of this process, if any, which the programs get. */
  readonly kubeconfig: string | undefined
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
  /** Returns the URL of the report receiver. Called when a process starts. */
  readonly reportTo: () => string
  /** Returns the token with which a program proves its reports. */
  readonly reportToken: (program: string) => string
  /** Default: as processes of this machine. */
  readonly starter?: ProgramStarter | undefined
  readonly observe?: ObserveRunner | undefined
}): HostedPrograms => {
  const { programs, folder, idleMs, kubeconfig, clock, log, reportTo, reportToken } = options
  const metrics = createRunnerMetrics(options.metrics)
  const environment = (program: HostedProgram) =>
    programEnvironment(program, process.env, {
      reportTo: reportTo(),
      reportToken: reportToken(program.name),
      kubeconfig,
    })
  const starter = options.starter ?? programStarter({ folder, environment, clock, log })
  const runner = createRunner({
    ...{ programs, starter, clock, log, idleMs, freeMemory },
    observe: event => {
      metrics.event(event)
      options.observe?.(event)
    },
  })
  log.info('runner hosts programs', { programs: programs.map(({ name }) => name) })
  return { ...runner, collect: () => metrics.collect(runner) }
}
