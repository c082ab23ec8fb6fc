import { describe, expect, test } from 'vitest'
import { canonicalPolicy } from './policy-document.ts'

const allow = (Action: unknown, more: object = {}) => ({ Effect: 'Allow', Action, Resource: '*', ...more })
const policy = (...Statement: readonly unknown[]) => JSON.stringify({ Version: '2012-10-17', Statement })
const one = policy(allow(['a:B', 'c:D']))

describe('two policies are equal', () => {
  test.each<[string, string]>([
    ['with actions in another order', policy(allow(['c:D', 'a:B']))],
    ['with keys in another order', policy({ Resource: '*', Action: ['a:B', 'c:D'], Effect: 'Allow' })],
    ['with a value alone or in a list', policy(allow(['a:B', 'c:D'], { Resource: ['*'] }))],
    ['in one statement or in several', policy(allow('c:D'), allow('a:B'))],
    ['with ids of statements', policy(allow(['a:B', 'c:D'], { Sid: 'nodes' }))],
    ['written with spaces', JSON.stringify(JSON.parse(one), undefined, 2)],
    ['URL-encoded, as IAM answers', encodeURIComponent(one)],
    [
      'with a statement that is no list',
      JSON.stringify({ Version: '2012-10-17', Statement: allow(['a:B', 'c:D']) }),
    ],
  ])('%s', (_, other) => {
    expect(canonicalPolicy(other)).toBe(canonicalPolicy(one))
  })
})

describe('two policies differ', () => {
  test.each<[string, string]>([
    ['with an action more', policy(allow(['a:B', 'c:D', 'e:F']))],
    ['with an action less', policy(allow(['a:B']))],
    ['for another resource', policy(allow(['a:B', 'c:D'], { Resource: 'arn:aws:x' }))],
    ['when one denies', policy(allow(['a:B', 'c:D'], { Effect: 'Deny' }))],
    ['under a condition', policy(allow(['a:B', 'c:D'], { Condition: { Bool: { 'aws:x': 'true' } } }))],
    ['in another version of the language', one.replace('2012-10-17', '2008-10-17')],
    ['when one is no policy', 'hello'],
    ['when one is broken', '%7B%'],
  ])('%s', (_, other) => {
    expect(canonicalPolicy(other)).not.toBe(canonicalPolicy(one))
  })
})
