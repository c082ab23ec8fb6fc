import { describe, expect, test } from 'vitest'
import type { WireRequest } from '../codec/message.ts'
import { authorizationOf } from './authorization.ts'
import { isSignedWith } from './signature.ts'

/** The worked example of "Signature Version 4", AWS General Reference: ListUsers of IAM. */
const example: WireRequest = {
  method: 'GET',
  path: '/',
  query: new Map([
    ['Action', ['ListUsers']],
    ['Version', ['2010-05-08']],
  ]),
  headers: {
    host: 'iam.amazonaws.com',
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  },
  body: new Uint8Array(),
}
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

const check = (request: WireRequest, key = secret): boolean => {
  const authorization = authorizationOf(request)
  return typeof authorization === 'object' && isSignedWith(request, authorization, key)
}

describe('a signature', () => {
  test('of AWS’s own example is right', () => {
    expect(check(example)).toBe(true)
  })

  test.each<[string, Partial<WireRequest>]>([
    ['another path', { path: '/other' }],
    ['another method', { method: 'POST' }],
    ['another query', { query: new Map([['Action', ['DeleteUser']]]) }],
    ['another body', { body: Buffer.from('x') }],
    ['another signed header', { headers: { ...example.headers, host: 'sts.amazonaws.com' } }],
  ])('does not cover %s', (_, change) => {
    expect(check({ ...example, ...change })).toBe(false)
  })

  test('does not fit another secret', () => {
    expect(check(example, 'other')).toBe(false)
  })

  test('covers the body through its hash', () => {
    const headers = { ...example.headers, 'x-amz-content-sha256': 'a'.repeat(64) }
    expect(check({ ...example, headers })).toBe(false)
  })

  test.each([
    ['AWS4-HMAC-SHA256 Credential=AKID/20150830/us-east-1/iam/aws4_request'],
    ['AWS4-HMAC-SHA256 Credential=AKID, SignedHeaders=host, Signature=00'],
    ['Basic dXNlcjpwYXNz'],
  ])('that cannot be read is malformed: %s', authorization => {
    expect(authorizationOf({ ...example, headers: { authorization } })).toBe('malformed')
  })

  test('may stand in the query', () => {
    const query = new Map([
      ['X-Amz-Algorithm', ['AWS4-HMAC-SHA256']],
      ['X-Amz-Credential', ['AKID/20150830/us-east-1/s3/aws4_request']],
      ['X-Amz-SignedHeaders', ['host']],
      ['X-Amz-Signature', ['00']],
    ])
    expect(authorizationOf({ ...example, headers: {}, query })).toMatchObject({
      accessKeyId: 'AKID',
      service: 's3',
      presigned: true,
    })
  })
})
