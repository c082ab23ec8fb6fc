import { ApiException } from '@kubernetes/client-node'
import { ConnectionError, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'

/** The body of a failure. client-node passes it as text, as a model, or not at all. */
interface Status {
  readonly kind?: string
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: {
    readonly retryAfterSeconds?: number
    readonly causes?: readonly { readonly field?: string }[]
  }
}

const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'DEPTH_ZERO_SELF_SIGNED_CERT'])

/** Maps an error of client-node or undici to the errors of the port. */
export const clientNodeFailure = (
  error: unknown,
  request: string,
  signal: AbortSignal | undefined,
): unknown => {
  if (signal?.aborted) return signal.reason
  if (error instanceof ApiException) return statusError(error.code, statusOf(error.body), error.headers)
  const code: unknown = Reflect.get(Object(error), 'statusCode')
  if (typeof code === 'number') return statusError(code, { message: String(error) }, {})
  // undici rejects with a TypeError and the reason in its cause. A timeout of `Watch` is a DOMException.
  if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException))
    return error
  const reason: unknown = error.cause
  const sent = !neverSent.has(String(Reflect.get(Object(reason), 'code')))
  return new ConnectionError(`${request}: ${error.message}`, { cause: reason ?? error, sent })
}

/** The error of a `Status`. For another object's uid, PATCH answers 422 and PUT 409. */
export const statusError = (
  httpStatus: number,
  { code = httpStatus, reason = '', message = `the API server answered ${code}`, details }: Status,
  headers: Readonly<Record<string, string>>,
): KubernetesError => {
  if (code === 422 && details?.causes?.some(({ field }) => field === 'metadata.uid'))
    return new KubernetesError(409, 'Conflict', message)
  const header = Number(headers['retry-after'])
  return new KubernetesError(code, reason, message, header || details?.retryAfterSeconds)
}

const statusOf = (body: unknown): Status => {
  if (typeof body !== 'string') return Object(body)
  try {
    const parsed: Status = JSON.parse(body)
    return parsed.kind === 'Status' ? parsed : { message: body }
  } catch {
    return { message: body }
  }
}
