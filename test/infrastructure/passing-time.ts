import type { Aws } from '../../sandbox/providers/aws/simulator/aws.ts'
import type { VirtualClock } from '../../shared/clock/clock.ts'

/** Detects that a seed on a virtual clock only waits, so that the clock can advance. */
export interface Stillness {
  /** Records an activity. */
  readonly note: () => void
  /** Wraps the AWS handler, so that open requests are known. */
  readonly watch: (handler: Aws['requestHandler']) => Aws['requestHandler']
  /** Returns the result of a wait while the clock advances. Rejects after `limitMs` of the clock. */
  readonly pass: <T>(what: string, wait: Promise<T>, limitMs?: number) => Promise<T>
}

/**
 * The clock advances after this time without activity, in real milliseconds: sockets and loading code take that long.
 */
const quietMs = 20
/**
 * The minimum number of idle event loop iterations. A long computation takes many milliseconds without one, so the time
 * alone is not enough.
 */
const quietIterations = 8

/** `story` describes the situation, for the message of a failed wait. */
export const stillnessOn = (clock: VirtualClock, story: () => string): Stillness => {
  let last = performance.now()
  let iterations = 0
  let open = 0
  const note = () => {
    last = performance.now()
    iterations = 0
  }
  return {
    note,
    watch: handler => ({
      ...handler,
      handle: async (request, options) => {
        open++
        try {
          return await handler.handle(request, options)
        } finally {
          open--
          note()
        }
      },
    }),
    pass: async (what, wait, limitMs = 30 * 60_000) => {
      const end = clock.now() + limitMs
      let over = false
      const ended = () => {
        over = true
      }
      wait.then(ended, ended)
      while (!over) {
        await new Promise(resolve => setTimeout(resolve, 2))
        await clock.advance(0)
        iterations++
        if (over || open > 0 || iterations < quietIterations || performance.now() - last < quietMs) continue
        if (clock.now() > end) throw new Error(`waited ${limitMs} ms for ${what}, in vain: ${story()}`)
        const [next] = clock.pending()
        await clock.advance(Math.max(1, (next ?? clock.now() + 1_000) - clock.now()))
        note()
      }
      return wait
    },
  }
}
