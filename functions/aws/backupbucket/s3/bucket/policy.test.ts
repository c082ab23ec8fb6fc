import { expect, test } from 'vitest'
import { peerStatement, policyWith, tlsStatements } from './policy.ts'

const wanted = tlsStatements('b', 'eu-west-1')
const outdated = peerStatement('b', 'eu-west-1')
const [withoutTls = {}, belowTls12 = {}] = wanted
const own = {
  Sid: 'Own',
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::b/*',
}

const policy = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })
const statementsOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text).Statement

test.each([
  ['none', undefined, wanted],
  ['the Go extension’s', policy(outdated), wanted],
  ['the Go extension’s and a user’s', policy(own, outdated), [own, ...wanted]],
  ['a user’s', policy(own), [own, ...wanted]],
  ['a user’s that is no list', JSON.stringify({ Statement: own }), [own, ...wanted]],
  ['half of ours', policy(belowTls12), [belowTls12, withoutTls]],
  ['ours and the Go extension’s', policy(...wanted, outdated), wanted],
])('%s', (_, present, expected) => {
  expect(statementsOf(policyWith(present, wanted, outdated))).toEqual(expected)
})

test.each([
  ['ours', policy(...wanted)],
  ['in another order, with a user’s between them', policy(belowTls12, own, withoutTls)],
  [
    'as S3 may hand it back',
    policy(
      { ...belowTls12, Sid: 'other', Principal: { AWS: '*' }, Action: ['s3:*'] },
      {
        ...withoutTls,
        Resource: ['arn:aws:s3:::b/*', 'arn:aws:s3:::b'],
        Condition: { Bool: { 'aws:SecureTransport': [false] } },
      },
    ),
  ],
])('%s is not changed', (_, present) => {
  expect(policyWith(present, wanted, outdated)).toBeUndefined()
})

test('an existing Sid is not reused', () => {
  const taken = { ...own, Sid: 'DenyWithoutTls' }
  const { Sid: _, ...nameless } = withoutTls
  expect(statementsOf(policyWith(policy(taken), wanted, outdated))).toEqual([taken, nameless, belowTls12])
})

test.each([
  ['eu-west-1', 'arn:aws:s3:::b'],
  ['cn-north-1', 'arn:aws-cn:s3:::b'],
  ['us-gov-east-1', 'arn:aws-us-gov:s3:::b'],
  ['eusc-de-east-1', 'arn:aws-eusc:s3:::b'],
])('in %s it is %s', (region, arn) => {
  expect(tlsStatements('b', region)[0]?.Resource).toEqual([arn, `${arn}/*`])
})
