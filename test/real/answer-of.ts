import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from './server-process.ts'

const limitMs = 300_000

/**
 * Calls `ask` every 25 ms until it returns an answer. `ask` may throw while a server starts. Rejects after five
 * minutes, or when the server ends, with its output.
 */
export const answerOf = async <T>(
  what: string,
  server: ServerProcess,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> => {
  const state = { ended: false }
  server.ended.then(() => {
    state.ended = true
  })
  const until = performance.now() + limitMs
  let cause: unknown
  while (!state.ended && performance.now() < until) {
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      cause = error
    }
    await sleep(25)
  }
  throw new Error(`waiting for ${what}: ${state.ended ? 'it ended' : 'too long'}\n${server.output()}`, {
    cause,
  })
}
