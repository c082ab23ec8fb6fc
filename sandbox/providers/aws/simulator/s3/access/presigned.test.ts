import { GetObjectCommand } from '@aws-sdk/client-s3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authorizationOf } from '../../accounts/authorization.ts'
import { olderSignatureOf } from '../../accounts/older-signature.ts'
import { signatureOf } from '../../accounts/signature.ts'
import type { WireRequest } from '../../codec/message.ts'
import type { Listening } from '../../serve/http.ts'
import { Bucket, newBucketWorld, start } from '../testing/bucket-world.ts'

const accessKeyId = 'AKIAURL'
const secret = 'of/a+URL'
const scope = `${accessKeyId}/20260101/eu-west-1/s3/aws4_request`

let world: Awaited<ReturnType<typeof newBucketWorld>>
let server: Listening
beforeEach(async () => {
  world = await newBucketWorld()
  world.aws.account().register({ accessKeyId, secretAccessKey: secret })
  await world.put('etcd/Full 1', 'snapshot')
  server = await world.aws.listen()
})
afterEach(() => server.close())

type Parameters = Readonly<Record<string, string | undefined>>

interface Url {
  readonly method?: string
  readonly path?: string
  readonly parameters?: Parameters
  readonly version?: 4 | 2
}

/** Returns a URL as an SDK builds it. Undefined parameters are omitted. */
const urlOf = ({ method = 'GET', path = `/${Bucket}/etcd/Full%201`, parameters, version = 4 }: Url = {}) => {
  const own: Readonly<Record<string, string | undefined>> =
    version === 4
      ? {
          'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
          'X-Amz-Credential': scope,
          'X-Amz-Date': '20260101T120000Z',
          'X-Amz-Expires': '60',
          'X-Amz-SignedHeaders': 'host',
        }
      : { AWSAccessKeyId: accessKeyId, Expires: String(start / 1000 + 60) }
  const given = Object.entries({ ...own, ...parameters }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const name = version === 4 ? 'X-Amz-Signature' : 'Signature'
  const request: WireRequest = {
    method,
    path,
    query: new Map([...given, [name, '-'] as const].map(([key, value]) => [key, [value]])),
    headers: { host: `127.0.0.1:${server.port}` },
    body: new Uint8Array(),
  }
  const authorization = authorizationOf(request)
  const sign = version === 4 ? signatureOf : olderSignatureOf
  const signature = typeof authorization === 'object' ? sign(request, authorization, secret) : '0'
  return `${server.url}${path}?${new URLSearchParams([...given, [name, signature]]).toString().replaceAll('+', '%20')}`
}

const ask = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url, init)
  const text = await answer.text()
  const part = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1]
  return { status: answer.status, text, code: part('Code'), message: part('Message'), part }
}

describe.each([4, 2] as const)('a URL with a signature of version %i', version => {
  test('the URL reads an object without credentials', async () => {
    expect(await ask(urlOf({ version }))).toMatchObject({ status: 200, text: 'snapshot' })
  })

  test('the URL writes an object', async () => {
    const path = `/${Bucket}/new`
    const put = { method: 'PUT', body: new TextEncoder().encode('body') }
    expect(await ask(urlOf({ version, path, method: 'PUT' }), put)).toMatchObject({ status: 200 })
    const { Body } = await world.client.send(new GetObjectCommand({ Bucket, Key: 'new' }))
    expect(await Body?.transformToString()).toBe('body')
  })

  test('the URL sets response headers', async () => {
    const answer = await fetch(urlOf({ version, parameters: { 'response-content-type': 'text/x-state' } }))
    expect(answer.headers.get('content-type')).toBe('text/x-state')
    await answer.text()
  })

  test('the URL is valid only for the request that it was signed for', async () => {
    const wrong = { status: 403, code: 'SignatureDoesNotMatch' }
    const url = urlOf({ version })
    expect(await ask(url.replace('Full%201', 'Full%202'))).toMatchObject(wrong)
    expect(await ask(url, { method: 'PUT', body: 'x' })).toMatchObject(wrong)
    expect(await ask(url.replace('Expires=', 'Expires=1'))).toMatchObject(wrong)
  })

  test('the URL is valid until it expires', async () => {
    const url = urlOf({ version })
    await world.clock.advance(60_000)
    expect(await ask(url)).toMatchObject({ status: 200 })
    await world.clock.advance(1_000)
    const refused = await ask(url)
    expect(refused).toMatchObject({ status: 403, code: 'AccessDenied', message: 'Request has expired' })
    expect(refused.part('Expires')).toBe('2026-01-01T12:01:00Z')
    expect(refused.part('ServerTime')).toBe('2026-01-01T12:01:01Z')
  })

  test('the URL is refused beside an Authorization header', async () => {
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=a' }
    expect(await ask(urlOf({ version }), { headers })).toMatchObject({ status: 400, code: 'InvalidArgument' })
  })
})

describe('a URL is refused', () => {
  const parameters = (value: Parameters): Url => ({ parameters: value })
  const older = (value: Parameters): Url => ({ version: 2, parameters: value })
  test.each<[what: string, url: Url, status: number, code: string, message: RegExp]>([
    [
      'that is good for more than a week',
      parameters({ 'X-Amz-Expires': '604801' }),
      400,
      'AuthorizationQueryParametersError',
      /less than a week/,
    ],
    [
      'that is good for less than nothing',
      parameters({ 'X-Amz-Expires': '-1' }),
      400,
      'AuthorizationQueryParametersError',
      /must be non-negative/,
    ],
    [
      'that is good for no number',
      parameters({ 'X-Amz-Expires': 'soon' }),
      400,
      'AuthorizationQueryParametersError',
      /should be a number/,
    ],
    [
      'without its date',
      parameters({ 'X-Amz-Date': undefined }),
      400,
      'AuthorizationQueryParametersError',
      /version 4 requires the X-Amz-Algorithm, X-Amz-Credential/,
    ],
    [
      'with a date in another form',
      parameters({ 'X-Amz-Date': '2026-01-01' }),
      400,
      'AuthorizationQueryParametersError',
      /ISO8601 Long Format/,
    ],
    [
      'of another day than its scope',
      parameters({ 'X-Amz-Date': '20260102T120000Z' }),
      400,
      'AuthorizationQueryParametersError',
      /Invalid credential date (?:"|&quot;)20260101/,
    ],
    [
      'with half a scope',
      parameters({ 'X-Amz-Credential': accessKeyId }),
      400,
      'AuthorizationQueryParametersError',
      /the Credential is mal-formed/,
    ],
    [
      'with an unknown algorithm',
      parameters({ 'X-Amz-Algorithm': 'AWS4-HMAC-SHA1' }),
      400,
      'AuthorizationQueryParametersError',
      /X-Amz-Algorithm only supports/,
    ],
    [
      'without its end, in the older form',
      older({ Expires: undefined }),
      403,
      'AccessDenied',
      /requires the Signature, Expires and AWSAccessKeyId/,
    ],
    [
      'with an end that is no time, in the older form',
      older({ Expires: 'soon' }),
      403,
      'AccessDenied',
      /Invalid date/,
    ],
  ])('%s', async (_, url, status, code, message) => {
    const refused = await ask(urlOf(url))
    expect(refused).toMatchObject({ status, code })
    expect(refused.message).toMatch(message)
  })

  test('because its key lacks the permission', async () => {
    world.aws.account().register({ accessKeyId, secretAccessKey: secret, allow: ['s3:PutObject'] })
    expect(await ask(urlOf())).toMatchObject({ status: 403, code: 'AccessDenied' })
  })
})
