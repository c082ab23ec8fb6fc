import { createHash } from 'node:crypto'
import { authorizationOf } from '../../../accounts/authorization.ts'
import type { WireRequest } from '../../../codec/message.ts'
import { refuse } from '../../../service.ts'
import { hostAddress } from '../../access/address.ts'
import { checkChecksum, claimedChecksum } from './checksums.ts'
import { unchunk } from './unchunk.ts'

/** The error for a signature with a region other than that of the endpoint or the bucket. */
export const wrongRegion = (given: string, expected: string) =>
  refuse(
    'AuthorizationHeaderMalformed',
    `The authorization header is malformed; the region '${given}' is wrong; expecting '${expected}'`,
    { status: 400, members: { Region: expected }, headers: { 'x-amz-bucket-region': expected } },
  )

const checkRegion = (request: WireRequest): void => {
  const authorization = authorizationOf(request)
  const { region, bucket } = hostAddress(request)
  if (typeof authorization !== 'object' || region === undefined) return
  // At the global endpoint the bucket's region is not known here, so it is checked later.
  if (region === 'global' && bucket !== undefined) return
  const expected = region === 'global' ? 'us-east-1' : region
  if (authorization.region === expected) return
  throw wrongRegion(authorization.region, expected)
}

const checkLength = (declared: string | undefined, body: Uint8Array): void => {
  if (declared !== undefined && Number(declared) !== body.length) {
    throw refuse(
      'IncompleteBody',
      'You did not provide the number of bytes specified by the Content-Length HTTP header',
      { status: 400 },
    )
  }
}

const checkMd5 = (claimed: string | undefined, body: Uint8Array): void => {
  if (claimed === undefined) return
  if (Buffer.from(claimed, 'base64').length !== 16) {
    throw refuse('InvalidDigest', 'The Content-MD5 you specified was invalid.', { status: 400 })
  }
  const computed = createHash('md5').update(body).digest('base64')
  if (computed !== claimed) {
    throw refuse('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
      status: 400,
      members: { ExpectedDigest: claimed, CalculatedDigest: computed },
    })
  }
}

const checkSha256 = (claimed: string | undefined, body: Uint8Array): void => {
  if (claimed === undefined || !/^[0-9a-f]{64}$/.test(claimed)) return
  const computed = createHash('sha256').update(body).digest('hex')
  if (computed !== claimed) {
    throw refuse(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
      { status: 400, members: { ClientComputedContentSHA256: claimed, S3ComputedContentSHA256: computed } },
    )
  }
}

/** Returns the headers without the `aws-chunked` content encoding. */
const withoutChunking = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const { 'content-encoding': encoding = '', ...rest } = headers
  const others = encoding
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '' && part !== 'aws-chunked')
  return others.length > 0 ? { ...rest, 'content-encoding': others.join(',') } : rest
}

/**
 * Prepares a request for the operations: joins the chunks of its body, merges its trailing headers and checks all its
 * digests.
 *
 * @throws AwsError
 */
export const unwrap = async (request: WireRequest): Promise<WireRequest> => {
  checkRegion(request)
  const payload = request.headers['x-amz-content-sha256']
  const chunked = payload?.startsWith('STREAMING-') ?? false
  const { data, trailers } = chunked ? unchunk(request.body) : { data: request.body, trailers: {} }
  if (chunked) checkLength(request.headers['x-amz-decoded-content-length'], data)
  const headers = { ...(chunked ? withoutChunking(request.headers) : request.headers), ...trailers }
  checkMd5(headers['content-md5'], data)
  if (!chunked) checkSha256(payload, data)
  const claimed = claimedChecksum(headers)
  if (claimed) await checkChecksum(claimed, data)
  return { ...request, headers, body: data }
}
