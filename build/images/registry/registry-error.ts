import { codeOf, messageOf } from '../../../shared/text/message-of.ts'

/** A request that failed: the registry answered with a status, or did not answer. */
export type RegistryFailure =
  | { readonly kind: 'status'; readonly status: number; readonly body: string }
  | { readonly kind: 'unreachable'; readonly cause: unknown }

/** A registry that refuses or cannot be reached. The message is one line: the image, what to do, and the reason. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
}

export const registryError = (
  reference: string,
  host: string,
  failure: RegistryFailure,
  action: 'pull' | 'push',
): RegistryError => {
  const reason = failure.kind === 'status' ? statusText(failure) : oneLine(messageOf(failure.cause))
  const todo =
    failure.kind === 'status'
      ? adviceForStatus(failure, host, action)
      : adviceForCause(codeOf(innermost(failure.cause)) ?? '', action)
  return new RegistryError(`${reference}: ${todo} (${reason})`, {
    ...(failure.kind === 'unreachable' && { cause: failure.cause }),
  })
}

const adviceForStatus = (
  { status, body }: Extract<RegistryFailure, { kind: 'status' }>,
  host: string,
  action: 'pull' | 'push',
): string => {
  if (/HTTP request to an? HTTPS server/i.test(body)) return 'it has TLS. Remove --plain-http'
  switch (status) {
    case 401:
      return `it requires other credentials: docker login ${host}`
    case 403:
      return action === 'push'
        ? 'these credentials may not write there. Request the permission to push, or choose another --registry'
        : 'these credentials may not read it. Request the permission to pull'
    case 404:
      return action === 'push'
        ? 'the repository does not exist, and the registry does not create it. Create it first, or correct --registry'
        : 'it does not exist. Correct the reference'
    case 413:
      return 'it refuses images of this size. Raise its limit'
    case 429:
      return 'it throttles requests. Wait and try again; uploaded images are not sent again'
    default:
      return status >= 500
        ? 'it is broken or unavailable. Try again later; uploaded images are not sent again'
        : 'the registry refused the request'
  }
}

/** By the error codes of Node and of OpenSSL. */
const adviceForCause = (code: string, action: 'pull' | 'push'): string => {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST/.test(code))
    return 'it has no TLS. Use --plain-http for your own registry'
  if (/CERT|SIGNATURE|SELF_SIGNED|ISSUER/.test(code))
    return 'its certificate is not trusted. Set NODE_EXTRA_CA_CERTS to the file of its CA'
  if (/^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code))
    return `it cannot be reached. Check ${action === 'push' ? '--registry' : 'the reference'} and the network; behind a proxy set HTTPS_PROXY and NODE_USE_ENV_PROXY=1`
  return 'the registry failed'
}

/** `fetch` wraps the error of the socket, which has the code. */
const innermost = (error: unknown): unknown =>
  error instanceof AggregateError && error.errors.length > 0
    ? innermost(error.errors[0])
    : error instanceof Error && error.cause !== undefined
      ? innermost(error.cause)
      : error

const statusText = ({ status, body }: Extract<RegistryFailure, { kind: 'status' }>): string =>
  oneLine(`HTTP ${status}${body === '' ? '' : `: ${body}`}`)

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
