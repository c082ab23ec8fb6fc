import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLimiter } from './limiter.ts'

const yieldToEventLoop = () => new Promise(resolve => setImmediate(resolve))

test('a limiter never exceeds its capacity, runs in order, and loses nothing when callers abort', async () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant('arrive' as const) }),
    fc.record({ kind: fc.constant('finish' as const) }),
    fc.record({ kind: fc.constant('leave' as const), which: fc.nat(5) }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(act, { maxLength: 30 }),
      async (capacity, acts) => {
        const limiter = createLimiter(capacity)
        const running: { readonly id: number; readonly end: () => void }[] = []
        const started: number[] = []
        let waiting: { readonly id: number; readonly stop: AbortController }[] = []
        const ends: Promise<unknown>[] = []
        let next = 0

        for (const { kind, ...rest } of acts) {
          if (kind === 'arrive') {
            const id = next++
            const stop = new AbortController()
            waiting.push({ id, stop })
            const work = () =>
              new Promise<void>(resolve => {
                started.push(id)
                waiting = waiting.filter(one => one.id !== id)
                running.push({ id, end: resolve })
              })
            ends.push(limiter.run(work, stop.signal).catch(() => undefined))
          } else if (kind === 'finish') running.shift()?.end()
          else {
            const one = waiting[('which' in rest ? rest.which : 0) % Math.max(waiting.length, 1)]
            one?.stop.abort()
            waiting = waiting.filter(other => other !== one)
          }
          await yieldToEventLoop()
          expect(running.length).toBeLessThanOrEqual(capacity)
          expect(waiting.length === 0 || running.length === capacity).toBe(true)
          expect(started).toEqual([...started].sort((a, b) => a - b))
        }
        while (running.length > 0) {
          running.shift()?.end()
          await yieldToEventLoop()
        }
        await Promise.all(ends)
        expect(waiting).toEqual([])
      },
    ),
    { numRuns: 60 },
  )
})
