import { isRecord, parsedJson, recordOf } from '../../decode/record-of.ts'
import { cutText } from '../../text/cut-text.ts'
import { KubernetesError } from '../port.ts'

/** Webhooks of others write messages, and each becomes part of errors, logs and statuses. Characters. */
const mostOfMessage = 16_384

/** The fields of `metav1.Status` that are read. */
interface StatusFields {
  readonly kind: 'Status'
  readonly code?: unknown
  readonly reason?: unknown
  readonly message?: unknown
  readonly details?: unknown
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

const isStatus = (value: unknown): value is StatusFields =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status'

/** Parses a `Status` response. Returns undefined for other texts (a proxy's page, `404 page not found`). */
const parseStatus = (text: string): StatusFields | undefined => {
  const value = parsedJson(text)
  return isStatus(value) ? value : undefined
}

/** Returns the seconds of a Retry-After header. API servers never use its date form. */
const retryAfterOf = (header: string | undefined): number | undefined => {
  const seconds = header === undefined ? Number.NaN : Number(header)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

const namesField = (causes: unknown, field: string): boolean =>
  Array.isArray(causes) && causes.some(cause => isRecord(cause) && cause.field === field)

/**
 * Returns the error of a `Status` object from a response or a watch's ERROR line. For another object's uid, PATCH
 * answers 422 ("field is immutable") and PUT 409; both become the same error, because the object is not the expected
 * one.
 */
export const errorOfStatus = (value: unknown, httpStatus: number, retryAfter?: number): KubernetesError => {
  const fields = isStatus(value) ? value : undefined
  const status = typeof fields?.code === 'number' ? fields.code : httpStatus
  const details = recordOf(fields?.details)
  const seconds = typeof details.retryAfterSeconds === 'number' ? details.retryAfterSeconds : undefined
  const reason = typeof fields?.reason === 'string' && fields.reason !== '' ? fields.reason : undefined
  const message =
    typeof fields?.message === 'string'
      ? cutText(fields.message, mostOfMessage)
      : `the API server answered ${status}`
  if (status === 422 && namesField(details.causes, 'metadata.uid'))
    return new KubernetesError(409, 'Conflict', message)
  return new KubernetesError(status, reason ?? reasons[status] ?? 'Unknown', message, retryAfter ?? seconds)
}

/** Returns the error of an unsuccessful response. */
export const errorOfAnswer = (
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): KubernetesError => {
  const retryAfter = retryAfterOf(headers['retry-after'])
  const fields = parseStatus(text)
  if (fields) return errorOfStatus(fields, status, retryAfter)
  const message = text.trim().slice(0, 200) || `the API server answered ${status}`
  return new KubernetesError(status, reasons[status] ?? 'Unknown', message, retryAfter)
}

/** Returns true if a 404 is about one object. An unknown resource or path has no `Status`. */
export const saysObjectNotFound = (status: number, text: string): boolean =>
  status === 404 && parseStatus(text)?.reason === 'NotFound'
