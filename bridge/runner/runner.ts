/**
 * The runner of a seed without a broker: starts the processes of functions beside the bridge when an event arrives,
 * delivers the events, and ends the processes that are idle.
 */

export { createRunner, type Runner } from './create-runner.ts'
export { connectTo } from './process/connect-to.ts'
export { freeMemory } from './process/free-memory.ts'
export { plainArgs, snapshotArgs } from './process/program-args.ts'
export { programEnvironment } from './process/program-environment.ts'
export { programStarter } from './process/program-starter.ts'
export type { ProgramProcess, ProgramStarter } from './program-process.ts'
export { type HostedProgram, objectsOf, parsePrograms, pathOf, typesOf } from './programs.ts'
export type { ObserveRunner, RunnerEvent } from './runner-event.ts'
export { createRunnerMetrics } from './runner-metrics.ts'
