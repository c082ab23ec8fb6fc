import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readRecording, recordedGarden } from '../../shared/webhooks/admission/testing/recording.ts'
import { besidePath, isBeside, withBeside } from '../beside/beside.ts'
import { ownAdmissionCases, standardGarden, standardReviews } from './admission.ts'
import { formatCalls, parseCalls } from './call-lines.ts'
import { ownCases, ownReviewCases } from './cases.ts'
import { storedText, withParts } from './parts.ts'
import { recordedAccountOf, recordedCalls, recordedObjectOf } from './recorded.ts'
import { reducedFiles } from './reduce.ts'
import { ownReviews, selectCases } from './reviews.ts'
import { storedPath } from './stored.ts'

const beside = (file: string): unknown => JSON.parse(readFileSync(besidePath('golden', file), 'utf8'))

describe.skipIf(!isBeside('golden'))(withBeside('golden', 'the cases that are kept here'), () => {
  test.each(ownCases)('$name matches the recording', one => {
    expect(recordedCalls(one.name)).toEqual(beside(`${one.name}.calls.json`))
    if ('object' in one) expect(recordedObjectOf(one.name)).toEqual(beside(one.object))
    if ('account' in one) expect(recordedAccountOf(one.name)).toEqual(beside(one.account))
  })

  test.each(Object.entries(ownReviewCases))('the reviews of %s match the recording', (file, names) => {
    const recorded = selectCases(readRecording(`webhooks/${file}`), names)
    expect(ownReviews(file)).toEqual(recorded)
    expect(recorded.cases).toHaveLength(names.length)
  })

  test('reviews match the recordings', () => {
    const recorded = Object.entries(ownAdmissionCases).flatMap(([file, names]) =>
      names.map(name => ({
        file,
        review: readRecording(`admission/${file}`).cases.find(one => one.name === name),
      })),
    )
    const inOrder = (list: readonly { file: string; review?: { readonly name: string } | undefined }[]) =>
      list.toSorted((a, b) => (`${a.file} ${a.review?.name}` < `${b.file} ${b.review?.name}` ? -1 : 1))
    expect(inOrder(standardReviews())).toEqual(inOrder(recorded))
    expect(standardGarden()).toEqual(recordedGarden())
  })
})

describe('the reduced recordings', () => {
  test('have a rule each, and are small', () => {
    const files = readdirSync(storedPath(''), { recursive: true, encoding: 'utf8' })
    const stored = files.filter(file => file.endsWith('.json'))
    expect(stored.toSorted()).toEqual([...reducedFiles.keys()].toSorted())
    const bytes = stored.reduce((sum, file) => sum + statSync(storedPath(file)).size, 0)
    expect(bytes).toBeLessThan(1_500_000)
  })

  // Only who has the originals can compare them. The set-up of the tests reports it if they are missing.
  test.each(isBeside('golden') ? [...reducedFiles] : [])(
    '%s is what is written of the original',
    (file, reduce) => {
      expect(readFileSync(storedPath(file), 'utf8')).toBe(storedText(withParts(reduce(beside(file)))))
    },
  )
})

test.each(ownCases)('$name has calls in each phase', ({ name }) => {
  const phases = recordedCalls(name)
  expect(Object.keys(phases)).toEqual(expect.arrayContaining(['create', 'delete']))
  for (const calls of Object.values(phases)) expect(calls.length).toBeGreaterThan(0)
})

test('calls are the same after a write and a read', () => {
  const phases = {
    create: [{ action: 's3:PutObject', at: 1, body: 'a b\n# c\n"d"' }, { action: 'CreateVpc' }],
    idle: [],
    delete: [{ action: 'DeleteVpc', error: 'DependencyViolation', params: { 'Filter.1.Name': 'tag:a b' } }],
  }
  expect(parseCalls(formatCalls(phases))).toEqual(phases)
})
