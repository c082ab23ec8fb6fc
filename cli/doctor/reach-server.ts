import type { Clock } from '../../shared/clock/clock.ts'
import { parsedJson, stringOf, valueAt } from '../../shared/decode/record-of.ts'
import { ConnectionError, readText, type Transport } from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { ServerFacts } from './checked-seed.ts'

/** The API server does not answer. The message says why, and what to do. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

const versionFields = (text: string): string => stringOf(valueAt(parsedJson(text), 'gitVersion'))

/** Requests the version, which every authenticated user may do. Throws an `UnreachableError`. */
export const reachServer = async (
  {
    transport,
    clock,
    server,
  }: { readonly transport: Transport; readonly clock: Pick<Clock, 'now'>; readonly server: string },
  signal: AbortSignal,
): Promise<ServerFacts> => {
  const askedAt = clock.now()
  try {
    const { status, headers, body } = await transport({
      method: 'GET',
      path: '/version',
      headers: { accept: 'application/json' },
      signal,
    })
    const text = await readText(body)
    if (status === 401) throw new UnreachableError(refusedText(server))
    const version = status === 200 ? versionFields(text) : ''
    if (version === '')
      throw new UnreachableError(
        `${server} answers ${status}, but not like an API server.\n  → check the server in the kubeconfig: kubectl config view --minify`,
      )
    const date = Date.parse(headers.date ?? '')
    return { version, date: Number.isNaN(date) ? undefined : date, askedAt, answeredAt: clock.now() }
  } catch (error) {
    if (error instanceof UnreachableError) throw error
    throw new UnreachableError(unreachableText(server, error, signal.aborted))
  }
}

export const refusedText = (server: string): string =>
  `the API server ${server} does not accept the credentials (401): the token or certificate has expired or belongs to another cluster.\n  → sign in again or get a new kubeconfig, then check it: kubectl auth whoami`

/** Says why the API server does not answer, and what to do. */
export const unreachableText = (server: string, error: unknown, isTimeout: boolean): string => {
  // A `ConnectionError` knows a better reason.
  if (isTimeout && !(error instanceof ConnectionError))
    return `the API server ${server} did not answer in time.\n  → it may be behind a VPN or a firewall: curl -k ${server}/version`
  const cause = error instanceof ConnectionError ? error.cause : error
  const why = messageOf(cause)
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code)
    ? `the certificate of the API server ${server} is not trusted: ${why}.\n  → the kubeconfig has the CA of another cluster, or a proxy intercepts the connection: get a new kubeconfig`
    : `cannot reach the API server ${server}: ${why}.\n  → check the server in the kubeconfig (kubectl config view --minify) and the network route to it`
}
