import { expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { createPrinter } from './printer.ts'

test('a sentence of the sandbox stays in its column on a terminal of 80 characters', () => {
  let printed = ''
  const write = (text: string) => {
    printed += text
  }
  const text = 'Infrastructure shoot--garden--rose/rose: Processing 1 %, Reconciling the infrastructure of it'
  createPrinter(virtualClock(0), write, () => 80).sentence({ part: 'kubernetes', text, tone: 'plain' })
  const lines = printed.trimEnd().split('\n')
  expect(lines).toEqual([
    '   0.00 s  kubernetes  Infrastructure shoot--garden--rose/rose: Processing 1 %,',
    '                       Reconciling the infrastructure of it',
  ])
})
