import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replay } from '../../test/cases/replay.ts'
import { virtualClock } from '../clock/clock.ts'
import { createQueue, type WorkResult } from './event-queue.ts'

const keys = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'] as const
const key = fc.constantFrom(...keys)
const subqueueOf = (name: string) => name.slice(0, 1)

/** An action on the queue; `took` and `result` define the next piece of work. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), key, low: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('time' as const), key, after: fc.integer({ min: 0, max: 3000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), key }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 2000 }) }),
  },
)

const behaviour = fc.record({
  took: fc.integer({ min: 0, max: 400 }),
  result: fc.constantFrom('finished', 'again', 'failed', 'failed with a delay', 'rejected'),
})

const parameters = replay(150)

test(`the queue never works on a key twice at a time, and loses no change (seed ${parameters.seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.array(behaviour, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, behaviours, concurrency) => {
        const clock = virtualClock(0)
        const inFlight = new Set<string>()
        /** Keys with a change that is not yet in progress. */
        const owed = new Set<string>()
        /** Keys with a change that was withdrawn in flight. */
        const takenBack = new Set<string>()
        const broken: string[] = []
        /** Once true, the sink is healthy. */
        let well = false
        let nextBehaviour = 0
        const queue = createQueue({
          clock,
          subqueues: ['a', 'b', 'c'],
          concurrency,
          lowPerSecond: 50,
          random: () => 0.5,
          work: async (name): Promise<WorkResult> => {
            // A rejection would count as a failed attempt, so broken rules are recorded and not thrown.
            if (inFlight.has(name)) broken.push(`${name} is in flight twice`)
            if (inFlight.size >= concurrency) broken.push('too many are in flight')
            inFlight.add(name)
            takenBack.delete(name)
            const seen = owed.delete(name)
            const { took, result } = behaviours[nextBehaviour++ % behaviours.length] ?? {
              took: 0,
              result: 'finished',
            }
            await clock.sleep(took)
            inFlight.delete(name)
            if (well || result === 'finished') return { kind: 'finished', answered: true }
            if (result === 'again') return { kind: 'again', at: clock.now() + 500, answered: true }
            // An undelivered change is still owed.
            if (seen && !takenBack.has(name)) owed.add(name)
            if (result === 'rejected') throw new Error('a bug')
            return result === 'failed' ? { kind: 'failed' } : { kind: 'failed', afterMs: 1_000 }
          },
        })
        const controller = new AbortController()
        const running = queue.run(controller.signal)
        for (const step of steps) {
          switch (step.do) {
            case 'change':
              owed.add(step.key)
              queue.add(step.key, subqueueOf(step.key), step.low ? 'low' : 'fresh')
              break
            case 'time':
              // A scheduled time withdraws a change: its caller knows the newer state of the object.
              queue.addAt(step.key, subqueueOf(step.key), clock.now() + step.after)
              owed.delete(step.key)
              takenBack.add(step.key)
              break
            case 'forget':
              queue.forget(step.key)
              owed.delete(step.key)
              takenBack.add(step.key)
              break
            case 'pass':
              await clock.advance(step.ms)
          }
          expect(queue.size).toBeLessThanOrEqual(keys.length)
        }
        well = true
        await clock.advance(120_000)
        expect(broken).toEqual([])
        expect([...owed]).toEqual([])
        expect(queue.size).toBe(0)
        controller.abort()
        await running
        expect(clock.pending()).toEqual([])
      },
    ),
    parameters,
  )
})
