import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createItemSplitter, mostOfItem } from './item-splitter.ts'
import { mostOfWatchLine, watchEvents } from './watch-events.ts'

/** Splits the bytes into chunks of this size. */
const chunksOf = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )

const split = (text: string, size: number) => {
  const items: unknown[] = []
  const splitter = createItemSplitter(json => items.push(JSON.parse(json)))
  for (const chunk of chunksOf(Buffer.from(text), size)) splitter.push(chunk)
  return { items, rest: JSON.parse(splitter.rest()) as unknown }
}

/** Texts that resemble JSON syntax. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\\', '"', '{', '}', '[', ']', ',', ':', 'ü', '𝄞') }),
  fc.constantFrom('items', '"items":[', '\\"items\\":[{'),
)
const value = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value
const item = fc.dictionary(text, value, { maxKeys: 4, noNullPrototype: true })
const metadata = fc.record({ resourceVersion: text, continue: text, items: value })
const spacing = fc.constantFrom(undefined, 1, '\t')

describe('a list that arrives in pieces', () => {
  test('items and rest equal those of a complete parse, wherever the list is cut', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 5 }),
        metadata,
        fc.boolean(),
        spacing,
        fc.integer({ min: 1, max: 40 }),
        (items, meta, metadataFirst, space, size) => {
          const list = metadataFirst
            ? { kind: 'ThingList', metadata: meta, items }
            : { apiVersion: 'v1', items, kind: 'ThingList', metadata: meta }
          const written = JSON.stringify(list, undefined, space)
          expect(split(written, size)).toEqual({
            items: JSON.parse(JSON.stringify(items)),
            rest: JSON.parse(JSON.stringify({ ...list, items: [] })),
          })
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['no items', '{"items":[],"metadata":{}}', { items: [], metadata: {} }],
    ['null for items', '{"items":null,"metadata":{}}', { items: null, metadata: {} }],
    ['none at all', '{"metadata":{"items":[{"a":1}]}}', { metadata: { items: [{ a: 1 }] } }],
  ])('a list with %s has no items', (_, written, rest) => {
    expect(split(written, 7)).toEqual({ items: [], rest })
  })

  test('items of any depth are accepted', () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    const items: number[] = []
    createItemSplitter(json => items.push(json.length)).push(Buffer.from(`{"items":[{"a":${deep}}]}`))
    expect(items).toEqual([deep.length + 6])
  })

  test('a truncated list is not JSON at its end', () => {
    const written = '{"items":[{"a":"}]"},{"b":2}],"metadata":{"resourceVersion":"1"}}'
    for (let length = 0; length < written.length; length++) {
      const splitter = createItemSplitter(json => JSON.parse(json))
      splitter.push(Buffer.from(written.slice(0, length)))
      expect(() => JSON.parse(splitter.rest()), written.slice(0, length)).toThrow(SyntaxError)
    }
  })
})

test.each([
  ['an object', '{"items":[{"a":"'],
  ['a field outside of the items', '{"a":"'],
])('a list is given up if %s has no end', (_, start) => {
  const splitter = createItemSplitter(() => expect.unreachable())
  splitter.push(Buffer.from(start))
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  let pushed = 0
  expect(() => {
    for (; pushed <= 2 * mostOfItem; pushed += chunk.length) splitter.push(chunk)
  }).toThrow(`an object of a list with more than ${mostOfItem} bytes`)
  expect(pushed).toBeLessThanOrEqual(mostOfItem)
})

test('a watch is given up if a line has no end', async () => {
  let sent = 0
  const body = async function* () {
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (; sent <= 2 * mostOfWatchLine; sent += chunk.length) yield chunk
  }
  await expect(watchEvents(body()).next()).rejects.toThrow(
    `a line of a watch with more than ${mostOfWatchLine} characters`,
  )
  expect(sent).toBeLessThanOrEqual(mostOfWatchLine + 1024 * 1024)
})
