import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isBeside } from '../beside/beside.ts'
import { callCases, usualReviewCases } from './cases.ts'
import { storedText, withoutParts, withParts } from './parts.ts'
import { recordedCalls } from './recorded.ts'
import { readOriginal, reducedFiles } from './reduce.ts'
import { usualReviews } from './reviews.ts'
import { storedPath } from './stored.ts'

describe('the reduced recordings', () => {
  test('have a rule each, and are small', () => {
    const files = readdirSync(storedPath(''), { recursive: true, encoding: 'utf8' })
    const stored = files.filter(file => /\.(?:json|txt)$/.test(file))
    expect(stored.toSorted()).toEqual([...reducedFiles.keys()].toSorted())
    const bytes = stored.reduce((sum, file) => sum + statSync(storedPath(file)).size, 0)
    expect(bytes).toBeLessThan(1_900_000)
  })

  // Only who has the originals can compare them. The set-up of the tests reports it if they are missing.
  test.each(isBeside('golden') ? [...reducedFiles] : [])('%s is the reduced original', (file, reduce) => {
    expect(readFileSync(storedPath(file), 'utf8')).toBe(storedText(withParts(reduce(readOriginal(file)))))
  })
})

test('a stored recording is read as it was', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, sha256: '0'.repeat(64) }
  const twice = { text: 'x'.repeat(100), list: [1, null, { deep: ['y'.repeat(100)] }] }
  const recording = { one: twice, two: [twice, twice.list, object], of: { ...object, spec: {} } }
  const text = storedText(withParts(recording))
  expect(withoutParts(JSON.parse(text))).toEqual(recording)
  expect(text.split('y'.repeat(100))).toHaveLength(2)
})

test.each(callCases)('%s has calls in each phase', name => {
  const phases = recordedCalls(name)
  expect(Object.keys(phases)).toEqual(expect.arrayContaining(['create', 'delete']))
  for (const calls of Object.values(phases)) expect(calls.length).toBeGreaterThan(0)
})

test.each(Object.entries(usualReviewCases))('the usual reviews of %s are recorded', (file, names) => {
  expect(usualReviews(file as keyof typeof usualReviewCases).cases).toHaveLength(names.length)
})
