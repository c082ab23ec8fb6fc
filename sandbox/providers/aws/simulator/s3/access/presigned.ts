import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import { isPresigned } from '../../accounts/authorization.ts'
import { parseSigningTime } from '../../accounts/signing-time.ts'
import type { WireRequest } from '../../codec/message.ts'
import { refuse } from '../../service.ts'

/*
 * The rules for signatures in the query. Sources: "Authenticating Requests: Using Query Parameters (AWS Signature
 * Version 4)", S3 API reference, and "Signing and authenticating REST requests", S3 user guide. The texts are those of
 * S3's responses.
 */

const wrongParameter = (message: string) =>
  refuse('AuthorizationQueryParametersError', message, { status: 400 })

const withoutFraction = (time: Timestamp): string => new Date(time).toISOString().replace(/\.\d{3}/, '')

const expired = (end: Timestamp, now: Timestamp, lifetime?: string) =>
  refuse('AccessDenied', 'Request has expired', {
    status: 403,
    members: {
      ...(lifetime === undefined ? {} : { 'X-Amz-Expires': lifetime }),
      Expires: withoutFraction(end),
      ServerTime: withoutFraction(now),
    },
  })

/** Seconds: one week. */
const longestLifetime = 604_800

const lifetimeOf = (text: string): number => {
  const seconds = Number(text)
  if (!/^-?\d+$/.test(text)) throw wrongParameter('X-Amz-Expires should be a number')
  if (seconds < 0) throw wrongParameter('X-Amz-Expires must be non-negative')
  if (seconds > longestLifetime) {
    throw wrongParameter(
      `X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than ${longestLifetime} seconds`,
    )
  }
  return seconds * 1000
}

const signedAt = (text: string): Timestamp => {
  const time = parseSigningTime(text)
  if (Number.isNaN(time))
    throw wrongParameter("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"")
  return time
}

const checkCredential = (credential: string, date: string): void => {
  const [, day, , service, end] = /^(?:.+)\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(credential) ?? []
  if (day === undefined || end !== 'aws4_request') {
    throw wrongParameter(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
    )
  }
  if (service !== 's3') {
    throw wrongParameter(
      `Error parsing the X-Amz-Credential parameter; incorrect service "${service}". This endpoint belongs to "s3".`,
    )
  }
  if (day !== date.slice(0, 8)) {
    throw wrongParameter(
      `Invalid credential date "${day}". This date is not the same as X-Amz-Date: "${date.slice(0, 8)}".`,
    )
  }
}

const checkOlder = (expires: string | undefined, now: Timestamp): void => {
  const denied = (message: string) => refuse('AccessDenied', message, { status: 403 })
  if (expires === undefined) {
    throw denied('Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters')
  }
  if (!/^\d+$/.test(expires)) throw denied(`Invalid date (should be seconds since epoch): ${expires}`)
  const end = Number(expires) * 1000
  if (now > end) throw expired(end, now)
}

/**
 * Checks a signature in the query before its access key is looked up.
 *
 * @throws AwsError AuthorizationQueryParametersError, AccessDenied or InvalidArgument
 */
export const checkPresigned = (request: WireRequest, now: Timestamp): void => {
  if (!isPresigned(request)) return
  const parameter = (name: string) => request.query.get(name)?.[0]
  if (request.headers.authorization !== undefined) {
    throw refuse(
      'InvalidArgument',
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
      {
        status: 400,
        members: { ArgumentName: 'Authorization', ArgumentValue: request.headers.authorization },
      },
    )
  }
  if (request.query.has('AWSAccessKeyId')) checkOlder(parameter('Expires'), now)
  else checkVersion4(parameter, now)
}

const checkVersion4 = (parameter: (name: string) => string | undefined, now: Timestamp): void => {
  const algorithm = parameter('X-Amz-Algorithm')
  const credential = parameter('X-Amz-Credential')
  const date = parameter('X-Amz-Date')
  const expires = parameter('X-Amz-Expires')
  const others = [parameter('X-Amz-Signature'), parameter('X-Amz-SignedHeaders')]
  if ([algorithm, ...others].includes(undefined) || !credential || !date || !expires) {
    throw wrongParameter(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    )
  }
  if (algorithm !== 'AWS4-HMAC-SHA256') {
    throw wrongParameter('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256"')
  }
  const signed = signedAt(date)
  checkCredential(credential, date)
  const end = signed + lifetimeOf(expires)
  if (now > end) throw expired(end, now, expires)
}
