import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { lookupIn, reviewBody } from '../../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import { tinyWebhook } from '../testing/tiny-webhook.ts'
import { answerReview } from './answer-review.ts'
import { outlineReview } from './outline-review.ts'

const object = (content: object, metadata: object = {}): KubernetesObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'b', ...metadata },
    ...content,
  }) as KubernetesObject

const ask = async (next: KubernetesObject, old?: KubernetesObject, target: 'garden' | 'seed' = 'garden') => {
  let reviews = 0
  const definition = tinyWebhook({
    target,
    review: () => {
      reviews++
      return {}
    },
  })
  const input =
    old === undefined
      ? ({ operation: 'CREATE', object: next } as const)
      : ({ operation: 'UPDATE', object: next, oldObject: old } as const)
  const answer = await answerReview(definition, Buffer.from(reviewBody(definition, input)), lookupIn([]))
  return { outcome: answer.outcome, message: answer.message, reviews }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const large: readonly (readonly [string, object])[] = [
  ['items', { data: numbers(50_000) }],
  ['empty objects', { data: numbers(30_000).map(() => ({})) }],
  ['fields', { data: Object.fromEntries(numbers(50_000).map(index => [`x${index}`, true])) }],
  ['lists in lists', { data: numbers(200).map(() => numbers(300)) }],
  ['fields of many objects', { data: numbers(10_000).map(index => ({ a: index, b: 1, c: 2, d: 3, e: 4 })) }],
]

describe('a review with too many elements', () => {
  test.each(large)('is refused before the function sees it: %s', async (_, content) => {
    const { outcome, message, reviews } = await ask(object(content))
    expect({ outcome, reviews }).toEqual({ outcome: 'refused', reviews: 0 })
    expect(message).toMatch(
      /^the object has too many fields and list items: the review has \d+, .* may have 50000\. /,
    )
  })

  test.each(large)('is refused as an update of another object: %s', async (_, content) => {
    expect(await ask(object(content), object({}))).toMatchObject({ outcome: 'refused', reviews: 0 })
  })

  test.each(large)(
    'is allowed if only metadata changes, so that Gardener can go on: %s',
    async (_, content) => {
      const next = object({ ...content, status: { a: 1 } }, { annotations: { a: 'b' } })
      expect(await ask(next, object(content))).toMatchObject({ outcome: 'allowed', reviews: 0 })
    },
  )

  test.each(large)('is allowed if the object is being deleted: %s', async (_, content) => {
    const next = object(content, { deletionTimestamp: '2026-11-21T12:00:00Z' })
    expect(await ask(next, object({}))).toMatchObject({ outcome: 'allowed', reviews: 0 })
  })

  test.each(large)(
    'reaches the function if it comes from a component of the seed: %s',
    async (_, content) => {
      expect(await ask(object(content), undefined, 'seed')).toMatchObject({ outcome: 'allowed', reviews: 1 })
    },
  )
})

describe('only the content of a large review counts as its change', () => {
  const list = numbers(60_000)

  test.each<[string, object, object, 'allowed' | 'refused']>([
    ['another order of its fields', { b: { x: 1 }, data: list }, { data: list, b: { x: 1 } }, 'allowed'],
    ['another item', { data: list }, { data: [...list.slice(1), 0] }, 'refused'],
    ['a new field', { data: list, b: 1 }, { data: list }, 'refused'],
    ['a field that is gone', { data: list }, { data: list, b: null }, 'refused'],
    ['a field with the name of one in metadata', { data: list, 'metadata.a': 1 }, { data: list }, 'refused'],
    ['a field with a quotation mark', { data: list, 'a"}],{': 1 }, { data: list, 'a"}],{': 2 }, 'refused'],
    ['an immutable object', { data: list, immutable: true }, { data: list, immutable: false }, 'refused'],
  ])('with %s', async (_, next, old, outcome) => {
    expect(await ask(object(next), object(old))).toMatchObject({ outcome, reviews: 0 })
  })

  test.each(['labels', 'annotations', 'managedFields', 'other'])('and not its metadata: %s', async name => {
    const next = object({ data: list }, { [name]: list.map(() => ({})) })
    expect(await ask(next, object({ data: list }))).toMatchObject({ outcome: 'allowed', reviews: 0 })
  })
})

test('a large object is not parsed, and its answer still names it', async () => {
  const definition = tinyWebhook({ target: 'garden', review: () => expect.unreachable() })
  const input = { operation: 'CREATE', object: object({ data: numbers(60_000) }, { labels: { a: 'b' } }) }
  const body = reviewBody(definition, input as never)
  const parse = vi.spyOn(JSON, 'parse')
  const { outcome, about } = await answerReview(definition, Buffer.from(body), lookupIn([]))
  const parsed = parse.mock.calls.map(([text]) => text.length)
  parse.mockRestore()
  expect({ outcome, about }).toMatchObject({ outcome: 'refused', about: { name: 'a', namespace: 'b' } })
  expect(Math.max(...parsed)).toBeLessThan(2_000)
})

test('a large body that is not JSON is not a review, also if its objects are those of one', async () => {
  const definition = tinyWebhook({ target: 'seed', review: () => expect.unreachable() })
  const body = reviewBody(definition, {
    operation: 'CREATE',
    object: object({ data: numbers(60_000) }),
  } as never)
  const { status } = await answerReview(definition, Buffer.from(body.replace('[0,', '[0 ')), lookupIn([]))
  expect(status).toBe(400)
})

test('a review of a long text reaches the function', async () => {
  const text = '{[,"'.repeat(500_000)
  expect(await ask(object({ data: { text } }))).toMatchObject({ outcome: 'allowed', reviews: 1 })
})

describe('the size of a body', () => {
  const sizeOf = (value: unknown): { elements: number; levels: number } => {
    if (typeof value !== 'object' || value === null) return { elements: 0, levels: 0 }
    const inner = Object.values(value).map(sizeOf)
    return {
      elements: 1 + Math.max(inner.length - 1, 0) + inner.reduce((sum, { elements }) => sum + elements, 0),
      levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    }
  }

  test('counts commas, objects and lists outside texts, and the levels', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(outlineReview(Buffer.from(JSON.stringify(value)))).toMatchObject(sizeOf(value))
      }),
    )
  })

  test('a body that is no JSON is measured to its end', () => {
    for (const text of ['"', '"\\', ']]]]', '{{{', `"${'\\'.repeat(100_000)}`])
      expect(outlineReview(Buffer.from(text)).levels).toBeLessThanOrEqual(3)
  })
})
