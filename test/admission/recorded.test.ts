import { describe, expect, test } from 'vitest'
import { sendReview, sendReviewAgain } from '../../sandbox/reviews/reviews.ts'
import { readRecording, recordedGarden } from '../../shared/webhooks/admission/testing/recording.ts'
import { answerFacts, compareReview } from './compare-review.ts'
import { knownDifferences } from './differences.ts'
import { recordedFiles } from './recordings.ts'

const definitionOf = (file: string) => {
  const definition = recordedFiles[file]
  if (definition === undefined) throw new Error(`nothing answers the reviews of ${file}`)
  return definition
}

const isKnown = (file: string, name: string) =>
  knownDifferences.some(known => known.file === file && known.name === name)

describe('a review is answered as by the Go extension', () => {
  const cases = Object.keys(recordedFiles).flatMap(file =>
    readRecording(`admission/${file}`).cases.map(one => ({ file, name: one.name, one })),
  )

  test('the recordings exist', () => expect(cases.length).toBeGreaterThan(200))

  test.each(cases.filter(({ file, name }) => !isKnown(file, name)))('$file: $name', async ({ file, one }) => {
    const { differences } = await compareReview(file, one, definitionOf(file), recordedGarden())
    expect(differences).toEqual([])
  })

  test.each(knownDifferences)(
    'the answer differs only for $file: $name, since $reason',
    async ({ file, name }) => {
      const one = cases.find(known => known.file === file && known.name === name)?.one
      if (one === undefined) throw new Error('there is no such review')
      const { differences } = await compareReview(file, one, definitionOf(file), recordedGarden())
      expect(differences).not.toEqual([])
    },
  )

  test.each(cases.filter(({ file }) => file.startsWith('mutate.')))(
    'and $file: $name changes nothing more the second time',
    async ({ file, one }) => {
      const definition = definitionOf(file)
      const options = { objects: recordedGarden() }
      const once = await sendReview(definition, one, options)
      const again = await sendReviewAgain(definition, one, once, options)
      expect(again.patch).toEqual([])
    },
  )
})

test('only paths and kinds of a message are compared', () => {
  const message =
    '[secret.data[a]: Invalid value: "(hidden)": b, spec.workers[0].zones: Required value: c, d, spec.workers[0].zones: Required value: e]'
  expect(answerFacts(false, 403, message)).toEqual({
    allowed: false,
    code: 403,
    errors: ['secret.data[a]: Invalid value', 'spec.workers[0].zones: Required value'],
  })
})
