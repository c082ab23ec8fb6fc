import type { WireRequest } from '../codec/message.ts'

/** The parts of a signature. */
export interface Authorization {
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
    signature,
    signedHeaders: signedHeaders.split(';'),
    time: request.headers['x-amz-date'] ?? '',
    sessionToken: request.headers['x-amz-security-token'],
  }
}

/** Returns the signature of a request: undefined if it has none, `malformed` if it is unreadable. */
export const authorizationOf = (request: WireRequest): Authorization | 'malformed' | undefined => {
  if (request.headers.authorization === undefined) return undefined
  return fromHeader(request) ?? 'malformed'
}
