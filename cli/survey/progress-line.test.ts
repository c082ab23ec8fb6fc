import { expect, test } from 'vitest'
import { progressLine } from './progress-line.ts'

const shownBy = (isTTY: boolean) => {
  let now = 0
  let text = ''
  const line = progressLine({ isTTY, write: more => (text += more) }, { now: () => now }, () => 7)
  for (const done of [1, 2, 10]) {
    now += 60_000
    line.show({ done, total: 20 })
  }
  line.clear()
  return text
}

test('a terminal has one line, with the time that is left', () => {
  expect(shownBy(true).split('\r')).toEqual([
    '',
    '\u001b[K1 of 20 objects, 7 requests to clouds, about 19 min left',
    '\u001b[K2 of 20 objects, 7 requests to clouds, about 18 min left',
    '\u001b[K10 of 20 objects, 7 requests to clouds, about 3 min left',
    '\u001b[K',
  ])
})

test('other outputs have a line for each tenth', () => {
  expect(shownBy(false).split('\n')).toEqual([
    '2 of 20 objects, 7 requests to clouds, about 18 min left',
    '10 of 20 objects, 7 requests to clouds, about 3 min left',
    '',
  ])
})
