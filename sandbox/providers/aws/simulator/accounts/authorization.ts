import type { WireRequest } from '../codec/message.ts'

/** The parts of a signature, from the header or (presigned) from the query. */
export interface Authorization {
  /** 2 is the older form, only in the query, which S3 still accepts; aws-cli creates such URLs. It has no scope. */
  readonly version: 4 | 2
  readonly accessKeyId: string
  /** `20261121`, as in the credential scope. */
  readonly date: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  /** The time of signing: `20261121T040000Z`. */
  readonly time: string
  readonly sessionToken: string | undefined
  readonly presigned: boolean
}

const scopeOf = (credential: string) => {
  const parts = credential.split('/')
  const [accessKeyId, date, region, service, terminator] = [parts.slice(0, -4).join('/'), ...parts.slice(-4)]
  if (!accessKeyId || !date || !region || !service || terminator !== 'aws4_request') return undefined
  return { accessKeyId, date, region, service }
}

const fromHeader = (request: WireRequest): Authorization | undefined => {
  const header = request.headers.authorization
  const fields = /^AWS4-HMAC-SHA256\s+(\S.*)$/s.exec(header ?? '')?.[1]
  if (fields === undefined) return undefined
  const field = (name: string) => new RegExp(`(?:^|[,\\s])${name}=([^,\\s]+)`).exec(fields)?.[1]
  const scope = scopeOf(field('Credential') ?? '')
  const signature = field('Signature')
  const signedHeaders = field('SignedHeaders')
  if (!scope || !signature || !signedHeaders) return undefined
  return {
    ...scope,
    version: 4,
    signature,
    signedHeaders: signedHeaders.split(';'),
    time: request.headers['x-amz-date'] ?? '',
    sessionToken: request.headers['x-amz-security-token'],
    presigned: false,
  }
}

const fromQuery = (request: WireRequest): Authorization | undefined => {
  const parameter = (name: string) => request.query.get(name)?.[0]
  if (parameter('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  const scope = scopeOf(parameter('X-Amz-Credential') ?? '')
  const signature = parameter('X-Amz-Signature')
  if (!scope || !signature) return undefined
  return {
    ...scope,
    version: 4,
    signature,
    signedHeaders: (parameter('X-Amz-SignedHeaders') ?? '').split(';'),
    time: parameter('X-Amz-Date') ?? '',
    sessionToken: parameter('X-Amz-Security-Token'),
    presigned: true,
  }
}

const fromOlderQuery = ({ query }: WireRequest): Authorization | undefined => {
  const parameter = (name: string) => query.get(name)?.[0]
  const accessKeyId = parameter('AWSAccessKeyId')
  const signature = parameter('Signature')
  // The query services had another version 2, which they no longer accept.
  if (accessKeyId === undefined || signature === undefined || query.has('SignatureVersion')) return undefined
  return {
    version: 2,
    accessKeyId,
    date: '',
    region: 'us-east-1',
    service: 's3',
    signedHeaders: [],
    signature,
    time: '',
    sessionToken: parameter('x-amz-security-token'),
    presigned: true,
  }
}

/** Returns true if a request has a signature in its query, or a part of one. */
export const isPresigned = ({ query }: WireRequest): boolean =>
  !query.has('SignatureVersion') &&
  ['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Signature', 'AWSAccessKeyId'].some(name => query.has(name))

/** Returns the signature of a request: undefined if it has none, `malformed` if it is unreadable. */
export const authorizationOf = (request: WireRequest): Authorization | 'malformed' | undefined => {
  const found = fromHeader(request) ?? fromQuery(request) ?? fromOlderQuery(request)
  if (found) return found
  return request.headers.authorization === undefined && !isPresigned(request) ? undefined : 'malformed'
}
