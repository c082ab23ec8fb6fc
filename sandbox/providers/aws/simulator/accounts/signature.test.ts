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

  test('of S3’s own example is right: the path is signed as sent', () => {
    // "PUT Object" in "Signature Calculations for the Authorization Header", S3 API reference.
    const put: WireRequest = {
      method: 'PUT',
      path: '/test%24file.text',
      query: new Map(),
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-date': '20130524T000000Z',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      },
      body: Buffer.from('Welcome to Amazon S3.'),
    }
    expect(check(put, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')).toBe(true)
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

  test('does not match another secret', () => {
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
  ])('that is unreadable is malformed: %s', authorization => {
    expect(authorizationOf({ ...example, headers: { authorization } })).toBe('malformed')
  })
})
