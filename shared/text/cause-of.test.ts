import { expect, test } from 'vitest'
import { causeOf } from './cause-of.ts'

test('a long text is one cause for shoots with names of different lengths', () => {
  const of = (name: string) => {
    const text = `Error reconciling Infrastructure: ${name} has no quota: ${'a sentence of the cloud. '.repeat(20)}${name}`
    return causeOf(text, { name, namespace: `shoot--dev--${name}` })
  }
  expect(of('rose')).toBe(of('a-rose-with-a-long-name'))
  expect(of('rose')).toHaveLength(300)
})
