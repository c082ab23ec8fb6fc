import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createCallLog } from '../simulator/aws.ts'
import { releaseAtRest } from './small-memory.ts'

const setUp = () => {
  const clock = virtualClock(0)
  const calls = createCallLog()
  let released = 0
  const stop = releaseAtRest(calls, clock, () => released++)
  const call = (times: number) => {
    for (let time = 0; time < times; time++) {
      calls.add({
        service: 'ec2',
        action: 'DescribeVpcs',
        region: undefined,
        accountId: undefined,
        accessKeyId: undefined,
        input: {},
        outcome: 'success',
        errorCode: undefined,
        status: 200,
        time: 0,
        requestId: '',
        notBuilt: undefined,
      })
    }
  }
  return { clock, call, stop, released: () => released }
}

test('memory is released once, when a pause follows many calls', async () => {
  const { clock, call, released } = setUp()
  call(1_000)
  await clock.advance(1_500)
  call(1)
  await clock.advance(1_500)
  expect(released()).toBe(0)
  await clock.advance(500)
  expect(released()).toBe(1)
  await clock.advance(60_000)
  expect(released()).toBe(1)
})

test('a pause after few calls costs no time', async () => {
  const { clock, call, released } = setUp()
  call(999)
  await clock.advance(60_000)
  expect(released()).toBe(0)
})

test('no timer or listener remains at the end', async () => {
  const { clock, call, stop, released } = setUp()
  call(1_000)
  stop()
  await clock.advance(60_000)
  expect(released()).toBe(0)
})
