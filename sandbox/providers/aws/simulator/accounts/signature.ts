import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { WireRequest } from '../codec/message.ts'
import type { Authorization } from './authorization.ts'

const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: Uint8Array | string, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** RFC 3986: escapes everything except unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const canonicalQuery = (request: WireRequest): string =>
  [...request.query]
    .flatMap(([name, values]) => values.map(value => `${encode(name)}=${encode(value)}`))
    .sort()
    .join('&')

/** S3 signs the path as sent. The other services escape it again. */
const canonicalPath = (request: WireRequest, service: string): string =>
  service === 's3' ? request.path : request.path.split('/').map(encode).join('/')

const canonicalRequest = (request: WireRequest, authorization: Authorization): string => {
  const headers = authorization.signedHeaders.map(
    name => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}\n`,
  )
  return [
    request.method,
    canonicalPath(request, authorization.service),
    canonicalQuery(request),
    headers.join(''),
    authorization.signedHeaders.join(';'),
    request.headers['x-amz-content-sha256'] ?? sha256(request.body),
  ].join('\n')
}

/** Returns the expected signature of a request. */
export const signatureOf = (request: WireRequest, authorization: Authorization, secret: string): string => {
  const { date, region, service, time } = authorization
  const scope = `${date}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(request, authorization))].join('\n')
  const key = [region, service, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, date))
  return hmac(key, text).toString('hex')
}

/** Returns true if the body matches the hash in its signature. */
const bodyMatches = (request: WireRequest): boolean => {
  const claimed = request.headers['x-amz-content-sha256']
  return claimed === undefined || !/^[0-9a-f]{64}$/.test(claimed) || claimed === sha256(request.body)
}

/** Returns true if the request was signed with the secret by AWS Signature Version 4. */
export const isSignedWith = (request: WireRequest, authorization: Authorization, secret: string): boolean => {
  const expected = Buffer.from(signatureOf(request, authorization, secret))
  const given = Buffer.from(authorization.signature)
  return expected.length === given.length && timingSafeEqual(expected, given) && bodyMatches(request)
}
