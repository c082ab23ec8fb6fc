import { expect, test } from 'vitest'
import type { BucketRetention } from './bucket.ts'
import { retentionChangeProblems } from './retention-change-problems.ts'

const compliance = (days: number): BucketRetention => ({ mode: 'COMPLIANCE', days })
const governance = (days: number): BucketRetention => ({ mode: 'GOVERNANCE', days })

test.each<[string, BucketRetention | undefined, BucketRetention | undefined, readonly string[]]>([
  ['shorter', compliance(2), compliance(1), ['immutability.retentionPeriod']],
  ['weaker', compliance(2), governance(1), ['immutability.mode']],
  ['longer', compliance(1), compliance(2), []],
  ['taken away', compliance(1), undefined, []],
  ['a lock that can be lifted, and is', governance(2), governance(1), []],
  ['new', undefined, compliance(1), []],
])('%s', (_, before, after, paths) => {
  const problems = retentionChangeProblems(before, after)
  expect(problems.map(({ path }) => path)).toEqual(paths)
  for (const { kind } of problems) expect(kind).toBe('forbidden')
})
