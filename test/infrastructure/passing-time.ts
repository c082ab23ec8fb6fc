import type { Aws } from '../../sandbox/providers/aws/simulator/aws.ts'
import type { VirtualClock } from '../../shared/clock/clock.ts'

/** Tells when a seed on a virtual clock only waits, so that time can go on. */
export interface Stillness {
  /** Something happened. */
  readonly note: () => void
  /** Through it AWS is asked, so that an open request is known. */
  readonly watch: (handler: Aws['requestHandler']) => Aws['requestHandler']
  /** The result of something that happens while time passes; rejects after `limitMs` of the clock. */
  readonly pass: <T>(what: string, wait: Promise<T>, limitMs?: number) => Promise<T>
}

/** How long nothing may have happened until time goes on, in real ms: sockets and loading code take that long. */
const quietMs = 20
/**
 * And in how many iterations of the event loop: after a long piece of work many ms have gone by at once, in which nothing
 * could happen.
 */
const quietIterations = 8

/** `story`: what there is, for the message of a wait in vain. */
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
