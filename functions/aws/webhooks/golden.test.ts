import { describe, expect, test } from 'vitest'
import { type PatchStep, patched, sendReview, sendReviewAgain } from '../../../sandbox/reviews/reviews.ts'
import { recordedResult } from '../../../shared/webhooks/admission/testing/recording.ts'
import { webhookRecordings } from '../../../test/beside/beside.ts'
import { recordedReviews } from '../../../test/recorded/reviews.ts'
import { differences, notReplayed } from './testing/differences.ts'
import { definitionOf, objectsOf, recordedSettings } from './testing/webhooks.ts'

const recordings = webhookRecordings.map(file => ({ file, ...recordedReviews(file) }))

describe.each(recordings)('$file', ({ file, ...recording }) => {
  const definition = definitionOf(file)
  test.each(recording.cases.filter(({ name }) => notReplayed[`${file}: ${name}`] === undefined))(
    '$name',
    async recorded => {
      const options = { objects: objectsOf(recording, recorded), settings: recordedSettings(file) }
      const replayed = await sendReview(definition, recorded, options)
      const difference = differences[`${file}: ${recorded.name}`]
      const { allowed, status } = recorded.response
      expect({ allowed: replayed.allowed, code: replayed.code }).toEqual({
        allowed,
        code: status?.code ?? 200,
      })
      if (allowed) {
        const result = recordedResult(recorded)
        const expected = difference?.result?.(result, recorded) ?? result
        expect(replayed.object).toEqual(expected)
        if (difference !== undefined) expect(replayed.object, 'it differs no more').not.toEqual(result)
      } else if (difference?.message === undefined) expect(replayed.message).toBe(status?.message)
      else {
        expect(replayed.message).not.toBe(status?.message)
        expect(replayed.message).toMatch(difference.message)
      }
    },
  )

  test.each(recording.cases.filter(({ again }) => again !== undefined))(
    '$name, once more as an update of what was there',
    async recorded => {
      const options = { objects: objectsOf(recording, recorded), settings: recordedSettings(file) }
      const replayed = await sendReview(definition, recorded, options)
      const again = await sendReviewAgain(definition, recorded, replayed, options)
      if (recorded.again === 'no change') expect(again.patch).toEqual([])
      else {
        const { patch } = recorded.again as unknown as { readonly patch: readonly PatchStep[] }
        expect(again.object).toEqual(patched(replayed.object, patch))
      }
    },
  )
})

test('each difference is of a case that is recorded', () => {
  const names = recordings.flatMap(({ file, cases }) => cases.map(({ name }) => `${file}: ${name}`))
  const listed = [...Object.keys(differences), ...Object.keys(notReplayed)]
  expect(listed.filter(name => !names.includes(name))).toEqual([])
})
