import { expect, test } from 'vitest'
import { weighReview } from './read-review.ts'

const weigh = (text: string) => weighReview(Buffer.from(text))

test('a body counts its length', () => {
  const text = JSON.stringify({ kind: 'ConfigMap', data: { text: 'x'.repeat(1_000) } })
  expect(weigh(text)).toBe(text.length)
})

test('a body of empty objects and lists counts more than its length', () => {
  expect(weigh('[{},{},[],[]]')).toBe(5 * 28)
})

test('brackets in strings count as text', () => {
  const text = JSON.stringify(['{[{['.repeat(100), String.raw`a"{{{\"{{{\\`, '{{{{', '\\'])
  expect(weigh(text)).toBe(text.length)
})

test('an unterminated string takes linear time', () => {
  const text = `"${'\\'.repeat(100_000)}`
  expect(weigh(text)).toBe(text.length)
  expect(weigh(`"${String.raw`\"`.repeat(100_000)}`)).toBe(200_001)
})
