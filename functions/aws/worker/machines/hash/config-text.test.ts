import { describe, expect, test } from 'vitest'
import { configText } from './config-text.ts'

const text = (value: unknown) => configText(value, {})
const reduced = (value: unknown) => configText(value, { nodeTemplate: { virtualCapacity: {} } })

describe('the text of a providerConfig equals that of kube-apiserver', () => {
  test('the text has sorted keys, also within lists and objects, and sorts numbers as text', () => {
    expect(text({ b: [{ d: 1, c: null }], a: { 10: true, 9: 'x', B: 1 } })).toBe(
      '{"a":{"10":true,"9":"x","B":1},"b":[{"c":null,"d":1}]}',
    )
  })

  test('the text escapes five characters and no others', () => {
    expect(text({ 'a<b': '<>&\u2028\u2029é"\\/' })).toBe(
      String.raw`{"a\u003cb":"\u003c\u003e\u0026\u2028\u2029é\"\\/"}`,
    )
  })
})

describe('virtual resources do not roll nodes', () => {
  const volume = { iops: 3000 }
  test.each<[string, object, object]>([
    ['alone', { kind: 'W', nodeTemplate: { virtualCapacity: { a: '1' } } }, { kind: 'W' }],
    ['before others', { nodeTemplate: { virtualCapacity: { a: '1' } }, volume }, { volume }],
    [
      'beside a capacity',
      { nodeTemplate: { capacity: { c: '2' }, virtualCapacity: { a: '1' } }, volume },
      { nodeTemplate: { capacity: { c: '2' } }, volume },
    ],
    ['as an empty object', { nodeTemplate: { virtualCapacity: {} }, volume }, { volume }],
  ])('%s', (_, config, without) => {
    expect(reduced(config)).toBe(text(without))
  })

  test('virtual resources remain in the text if the config has none, whatever looks like them', () => {
    const config = { a: ',"virtualCapacity":{}' }
    expect(text(config)).toContain('virtualCapacity')
  })
})
