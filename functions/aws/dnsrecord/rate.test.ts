import { beforeAll, expect, test } from 'vitest'
import { accountRates, addHostedZone, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import { passing, recordOf, stepsOver } from './testing/steps.ts'

/** The time of a call, in ms. */
const callMs = 60

/** An account with AWS's rates, and records in zones of their own. */
const setUp = (count: number) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, rates: accountRates })
  for (let index = 0; index < count; index++)
    addHostedZone(aws.account(), { name: `z${index}.example.com`, id: `Z${index}` })
  const handle: typeof aws.requestHandler.handle = async (...request) => {
    await clock.sleep(callMs / 2)
    const answer = await aws.requestHandler.handle(...request)
    await clock.sleep(callMs / 2)
    return answer
  }
  const steps = stepsOver({ ...aws.requestHandler, handle }, 5, clock)
  const began = clock.now()
  const stepTimes: number[] = []
  const reasons: string[] = []
  /** Runs steps until one is done, as the lifecycle does. Returns the time that it took. */
  const until = async (step: () => Promise<StepResult>): Promise<number> => {
    for (;;) {
      const started = clock.now()
      const result = await step()
      stepTimes.push(clock.now() - started)
      if (result.kind === 'done') return clock.now() - began
      reasons.push(result.description)
      await clock.sleep(result.afterMs)
    }
  }
  const recordAt = (index: number, statusZone?: string) => ({
    ...recordOf({
      spec: { name: `api.z${index}.example.com`, zone: `Z${index}` },
      ...(statusZone && { statusZone }),
    }),
    metadata: { name: `r${index}`, namespace: 'shoot--foo--bar', uid: `uid-${index}` },
  })
  const all = (work: (index: number) => Promise<StepResult>) =>
    passing(clock, Promise.all(Array.from({ length: count }, (_, index) => until(() => work(index)))))
  const throttled = () => aws.calls.all().filter(({ errorCode }) => errorCode === 'Throttling').length
  return { aws, stepTimes, reasons, recordAt, all, throttled, ...steps }
}

// At its first call, the client loads code, while the virtual clock goes on.
beforeAll(async () => {
  const { all, recordAt, reconcile } = setUp(1)
  await all(index => reconcile(recordAt(index)))
})

test.each([
  [3, 0.2],
  [10, 1.5],
])('%i new records in zones of their own exist after %d s on a quiet account', async (count, seconds) => {
  const { all, recordAt, reconcile, throttled } = setUp(count)
  const times = await all(index => reconcile(recordAt(index)))
  expect(Math.max(...times)).toBeLessThanOrEqual(seconds * 1_000)
  expect(throttled()).toBe(0)
})

test('10 changed records in zones of their own take two calls each at the rate of the account', async () => {
  const { all, recordAt, reconcile, throttled } = setUp(10)
  const times = await all(index => reconcile(recordAt(index, `Z${index}`)))
  // 20 calls, five of them at once.
  expect(Math.max(...times)).toBeLessThanOrEqual(3_000 + 100 + 2 * callMs)
  expect(throttled()).toBe(0)
})

test('every wait of many records for more than 2 s has its reason in the status', async () => {
  const { all, recordAt, reconcile, remove, stepTimes, reasons } = setUp(60)
  await all(index => reconcile(recordAt(index)))
  await all(index => remove(recordAt(index, `Z${index}`)))
  expect(Math.max(...stepTimes)).toBeLessThanOrEqual(2_000 + 4 * callMs)
  expect(reasons.length).toBeGreaterThan(60)
  for (const reason of reasons)
    expect(reason).toMatch(
      /^Waiting about \d+ s for its turn at Route 53: \d+ other calls are first, and this process makes 5 calls per second$/,
    )
})

test('a throttled account never makes a step wait for more than 2 s without its reason', async () => {
  const { aws, all, recordAt, reconcile, stepTimes, reasons } = setUp(5)
  aws.faults.add({ service: 'route53', times: 60, effect: { kind: 'throttle' } })
  await all(index => reconcile(recordAt(index, `Z${index}`)))
  expect(Math.max(...stepTimes)).toBeLessThanOrEqual(2_000 + 10 * callMs)
  expect(reasons.some(reason => reason.endsWith(', because AWS throttles the account'))).toBe(true)
})
