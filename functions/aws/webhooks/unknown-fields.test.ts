import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sendReview, sendReviewAgain } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { usualReviewCases } from '../../../test/recorded/cases.ts'
import { usualReviews } from '../../../test/recorded/reviews.ts'
import { definitionOf, objectsOf, recordedSettings } from './testing/webhooks.ts'

const reviews = (Object.keys(usualReviewCases) as (keyof typeof usualReviewCases)[]).flatMap(file => {
  const recording = usualReviews(file)
  return recording.cases
    .filter(({ response }) => response.allowed)
    .map(recorded => ({ file, name: recorded.name, recording, recorded }))
})

/** Maps with keys of users and text values; and parts that a webhook removes or replaces as a whole. */
const others = new Set(['labels', 'annotations', 'data', 'matchLabels', 'requests'])
const replaced = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'etc-ssl', 'usr-share-cacerts'])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Adds an unknown field to each part of the object: `future0`, `future1`, … */
const decorated = (object: KubernetesObject, contents: readonly unknown[]) => {
  const names: string[] = []
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isRecord(value) || replaced.has(String(value.name))) return value
    const name = `future${names.length}`
    names.push(name)
    const entries = Object.entries(value).map(([key, inner]) => [key, others.has(key) ? inner : walk(inner)])
    return { ...Object.fromEntries(entries), [name]: contents[names.length % contents.length] }
  }
  return { object: walk(object) as KubernetesObject, names }
}

const withoutFuture = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutFuture)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('future'))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutFuture(inner)]))
}

const content = fc.jsonValue({ maxDepth: 2 }).filter(value => !JSON.stringify(value).includes('future'))

describe.each(reviews)('$file: $name', ({ file, recording, recorded }) => {
  const definition = definitionOf(file)
  const options = { objects: objectsOf(recording, recorded), settings: recordedSettings(file) }
  const ask = (object: KubernetesObject) => sendReview(definition, { ...recorded, object }, options)

  test('unknown fields are retained and change nothing else', async () => {
    const plain = await ask(recorded.object)
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 5 }), async contents => {
        const { object, names } = decorated(recorded.object, contents)
        const answer = await ask(object)
        const text = JSON.stringify(answer.object)
        expect(names.length).toBeGreaterThan(1)
        expect(names.filter(name => !text.includes(`"${name}":`))).toEqual([])
        expect(withoutFuture(answer.object)).toEqual(withoutFuture(plain.object))
        const again = await sendReviewAgain(definition, { ...recorded, object }, answer, options)
        if (recorded.again === 'no change') expect(again.patch).toEqual([])
      }),
      { numRuns: 10 },
    )
  })

  test('a result does not change when it is reviewed again as a new object', async () => {
    const once = await ask(recorded.object)
    expect((await ask(once.object)).patch).toEqual([])
  })
})
