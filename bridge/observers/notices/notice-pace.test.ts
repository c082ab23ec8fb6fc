import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { Notice } from './notice.ts'
import { createNoticePace } from './notice-pace.ts'

const notice = (message: string): Notice => ({
  object: { kind: 'DNSRecord', object: 'garden/x', uid: 'u' },
  type: 'Warning',
  reason: 'StepFailed',
  message,
})

test('only the newest notice waits for its token, with the number of its own repeats', async () => {
  const clock = virtualClock(0)
  const written: string[] = []
  const pace = createNoticePace(clock, ({ notice: { message }, times }) => {
    written.push(`${message} ${times}`)
    return true
  })
  for (let index = 0; index < 10; index++) pace.add(notice(`first ${index}`), false)
  expect(written.splice(0)).toHaveLength(10)
  for (const message of ['old', 'old', 'new', 'new', 'new']) pace.add(notice(message), false)
  await clock.advance(300_000)
  expect(written.splice(0)).toEqual(['new 3'])
  // Each token is spent once, also by a notice that has waited.
  pace.add(notice('next'), false)
  await clock.advance(299_999)
  expect(written).toEqual([])
  await clock.advance(1)
  expect(written).toEqual(['next 1'])
})
