import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createThrottle } from './throttle.ts'

test('a bucket never holds more than its burst, no matter how long it is idle', async () => {
  const clock = virtualClock(0)
  const throttle = createThrottle(clock, { 'route53:*': { perSecond: 1, burst: 2 } })
  await clock.advance(3_600_000)
  expect([1, 2, 3].map(() => throttle('1', 'route53:ListHostedZones'))).toEqual([true, true, false])
})

test('each account and pattern has a separate bucket, and a call takes a token from each bucket that it matches', () => {
  const throttle = createThrottle(virtualClock(0), {
    '*': { perSecond: 1, burst: 3 },
    'route53:Change*': { perSecond: 1, burst: 1 },
  })
  expect(throttle('1', 'route53:ChangeResourceRecordSets')).toBe(true)
  expect(throttle('1', 'route53:ChangeResourceRecordSets')).toBe(false)
  expect(throttle('2', 'route53:ChangeResourceRecordSets')).toBe(true)
  expect([1, 2, 3].map(() => throttle('1', 'sts:GetCallerIdentity'))).toEqual([true, true, false])
})

test('a call with counted tokens takes them only from the bucket that names them, and takes none if it is refused', () => {
  const throttle = createThrottle(virtualClock(0), {
    'ec2:*': { perSecond: 1, burst: 3 },
    'ec2:RunInstances/instances': { perSecond: 1, burst: 10 },
  })
  const run = (count: number) => throttle('1', 'ec2:RunInstances', { 'ec2:RunInstances/instances': count })
  expect([run(8), run(3), run(2), run(0), run(0)]).toEqual([true, false, true, true, false])
})

test('setting the clock back removes no tokens', async () => {
  let now = 10_000
  const clock = { ...virtualClock(0), now: () => now }
  const throttle = createThrottle(clock, { 'ec2:*': { perSecond: 1, burst: 2 } })
  expect(throttle('1', 'ec2:DescribeVpcs')).toBe(true)
  now = 0
  expect(throttle('1', 'ec2:DescribeVpcs')).toBe(true)
})
