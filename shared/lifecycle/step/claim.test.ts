import fc from 'fast-check'
import { expect, test } from 'vitest'
import { annotations } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'
import { parseStepAnnotation } from '../../contract/step-annotation.ts'
import { defaultStepLimits } from '../backend.ts'
import { factsOf } from '../decide/facts.ts'
import { openRequest } from '../decide/request.ts'
import { testNow, testObject } from '../testing/test-objects.ts'
import { claimPatch, stopPatch, waitingStep } from './claim.ts'

/** Bytes that the step annotation may take of the 256 KiB of an object's annotations. */
const mostBytes = 2_048

/** As long as an object lets it be, and what JSON makes longest. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer({ min: 1, max: 262_144 }).map(length => '\u0001'.repeat(length)),
  fc.constantFrom('', '"'.repeat(200_000), '🙂'.repeat(60_000), '\ud800'.repeat(129)),
)
const anyObject = fc.record(
  {
    annotation: fc.constantFrom('reconcile', 'restore', 'migrate'),
    timestamp: anyText,
    deletionTimestamp: anyText,
    lastOperation: fc.tuple(anyText, anyText, anyText),
    generation: fc.maxSafeNat(),
    step: fc.record(
      { event: anyText, request: anyText, was: anyText, attempt: fc.nat() },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

const annotationOf = (patch: object): string => {
  const { metadata } = patch as { metadata: { annotations: Record<string, string> } }
  return metadata.annotations[annotations.step] ?? ''
}

test('every annotation that is written is short, whatever others have written and sent', () => {
  fc.assert(
    fc.property(
      anyObject,
      anyText,
      fc.constantFrom<KindName>('DNSRecord', 'BackupBucket', 'Infrastructure'),
      (input, eventId, kind) => {
        const facts = factsOf(testObject(kind, input))
        const { patch, step } = claimPatch({
          facts,
          operation: 'reconcile',
          request: openRequest(kind, facts),
          eventId,
          now: testNow,
          limits: defaultStepLimits,
          forced: false,
          addFinalizer: undefined,
        })
        const wait = stopPatch(facts, waitingStep(step, testNow, 1_000_000, 4_000_000_000))
        for (const text of [annotationOf(patch), annotationOf(wait)]) {
          expect(Buffer.byteLength(text)).toBeLessThan(mostBytes)
          expect(parseStepAnnotation(text), 'it can be read again').toBeDefined()
        }
      },
    ),
  )
})

test('two long requests are two requests, and the one that was answered is known again', () => {
  const asked = (end: string) =>
    factsOf(testObject('DNSRecord', { annotation: 'reconcile', timestamp: `${'t'.repeat(1_000)}${end}` }))
  const ids = ['a', 'b', 'a'].map(end => openRequest('DNSRecord', asked(end))?.id)
  expect(ids[0]).not.toBe(ids[1])
  expect(ids[0]).toBe(ids[2])
})
