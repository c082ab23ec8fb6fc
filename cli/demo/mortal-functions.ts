import type { StartFunction } from '../../sandbox/seed/seed.ts'
import { type FunctionProcess, functionProcesses, type ProcessOptions } from '../../sandbox/seed/seed.ts'

/** Functions in separate processes that can be killed. */
export interface MortalFunctions {
  readonly start: (options: ProcessOptions) => StartFunction
  /** Kills the process of a function, as in a crash, and returns its id; undefined if none runs. */
  readonly kill: (name: string) => number | undefined
}

export const mortalFunctions = (): MortalFunctions => {
  const running = new Map<string, FunctionProcess>()
  return {
    start: options => {
      const start = functionProcesses(options)
      return async fn => {
        const started = await start(fn)
        running.set(fn.name, started)
        return started
      }
    },
    kill: name => {
      const process = running.get(name)
      running.delete(name)
      process?.kill()
      return process?.pid
    },
  }
}
