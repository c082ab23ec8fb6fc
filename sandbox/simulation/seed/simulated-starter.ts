import type { Clock } from '../../../shared/clock/clock.ts'
import type { HostedProgram, ProgramProcess, ProgramStarter } from '../../../shared/runner/runner.ts'
import { simulatedPost } from '../process/simulated-post.ts'
import type { SimulatedProcess } from '../process/simulated-process.ts'
import type { FunctionInstance } from './function-instance.ts'

/** As `connectTo` of the runner. */
const answerMs = 75_000

/** Starts the programs of a seed process. They end with the bridge's process, which is in the same container. */
export const simulatedStarter = ({
  clock,
  start,
  owner,
  coldMs,
}: {
  readonly clock: Clock
  readonly start: (program: HostedProgram) => FunctionInstance
  readonly owner: SimulatedProcess
  readonly coldMs: () => number
}): ProgramStarter => ({
  missing: async () => undefined,
  start: async (program): Promise<ProgramProcess> => {
    const { process, answer } = start(program)
    void owner.ended.then(process.kill)
    await clock.sleep(coldMs())
    if (!process.isAlive()) throw new Error(`${program.name} ended while it started`)
    const post = simulatedPost({ clock: owner.clock, timeoutMs: answerMs, answer })
    return {
      pid: undefined,
      ended: process.ended.then(() => 'killed'),
      stop: process.kill,
      memory: () => 0,
      post: (path, message, signal) => post(`http://program${path}`, message, signal),
      responds: async () => process.isAlive(),
      disconnect: () => {},
    }
  },
})
