import { expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { createPacedOutput } from './paced-output.ts'

const setUp = (paceMs: number) => {
  const clock = virtualClock(0)
  const written: string[] = []
  const ending = new AbortController()
  const write = (text: string) => void written.push(`${clock.now()} ${text}`)
  const output = createPacedOutput({ write, clock, paceMs, signal: ending.signal })
  return { clock, written, ending, output }
}

test('lines appear one after the other, however fast they are written', async () => {
  const { clock, written, output } = setUp(100)
  for (const line of ['a', 'b', 'c']) output.write(line)
  await clock.advance(1_000)
  expect(written).toEqual(['0 a', '100 b', '200 c'])
})

test('the next step waits until all lines have appeared, plus the given pauses', async () => {
  const { clock, output } = setUp(100)
  output.write('a')
  output.write('b')
  let at: number | undefined
  output.shown(3).then(() => {
    at = clock.now()
  })
  await clock.advance(1_000)
  expect(at).toBe(500)
})

test('without a pace all lines appear at once, and an abort prints the rest', async () => {
  const quick = setUp(0)
  quick.output.write('a')
  quick.output.write('b')
  await quick.output.shown(3)
  expect(quick.written).toEqual(['0 a', '0 b'])

  const cut = setUp(100)
  for (const line of ['a', 'b', 'c']) cut.output.write(line)
  await cut.clock.advance(50)
  cut.ending.abort()
  await cut.output.shown(3)
  expect(cut.written).toEqual(['0 a', '50 b', '50 c'])
})
