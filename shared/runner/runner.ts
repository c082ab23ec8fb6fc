/**
 * The runner of a seed without a broker: starts the processes of functions beside the bridge when an event arrives,
 * delivers the events, and ends the processes that are idle.
 */

export { createRunner } from './create-runner.ts'
export { hostPrograms } from './host-programs.ts'
export type { ProgramProcess, ProgramStarter } from './program-process.ts'
export { type HostedProgram, parsePrograms } from './programs.ts'
export type { ObserveRunner, RunnerEvent } from './runner-event.ts'
export { createRunnerMetrics } from './runner-metrics.ts'

// For the sandbox and the suites of other rooms.

export { connectTo } from './process/connect-to.ts'
export { plainArgs, snapshotArgs } from './process/program-args.ts'
export { programStarter } from './process/program-starter.ts'
export { pathOf } from './programs.ts'
