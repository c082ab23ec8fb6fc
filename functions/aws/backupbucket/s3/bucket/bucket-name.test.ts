import { expect, test } from 'vitest'
import { bucketNameProblems } from './bucket-name.ts'

test.each(['abc', 'cloud--aws--plain', '5a3b-77', 'a.b.c', `a${'b'.repeat(62)}`, '10.0.0.a'])(
  '%s is a valid name',
  name => {
    expect(bucketNameProblems('metadata.name', name)).toEqual([])
  },
)

test.each([
  ['ab', '3 to 63'],
  [`a${'b'.repeat(63)}`, '3 to 63'],
  ['Backup', 'lower-case'],
  ['a_b', 'lower-case'],
  ['a/b/c', 'lower-case'],
  ['-ab', 'both ends'],
  ['ab.', 'both ends'],
  ['a..b', 'no consecutive dots'],
  ['10.0.0.1', 'IP address'],
  ['xn--abc', 'xn--'],
  ['sthree-abc', 'sthree-'],
  ['abc-s3alias', '-s3alias'],
  ['abc--x-s3', '--x-s3'],
])('%s is not valid', (name, rule) => {
  expect(bucketNameProblems('metadata.name', name)).toMatchObject([
    { path: 'metadata.name', message: expect.stringContaining(rule) },
  ])
})
