import type { IncomingMessage, RequestListener } from 'node:http'
import { printable } from '../text/printable.ts'

/**
 * An IP address, `localhost` or a name below it, with a port. A page of another site has another name, also if that
 * name resolves to 127.0.0.1 meanwhile (DNS rebinding): RFC 6761 reserves `localhost`.
 */
const ownHost = /^(?:(?:[\w.-]+\.)?localhost\.?|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?$/i

export interface OwnRequests {
  /** Returns true for a Host that no page of another site can have. Default: IP addresses and `localhost`. */
  readonly isOwnHost?: (host: string) => boolean
  /** True if a link on another site may open the address. Default: false. */
  readonly isLinked?: boolean
}

/** Returns true for an IP address and for `localhost`. */
export const isLocalHost = (host: string): boolean => ownHost.test(host)

/**
 * Returns the reason why a listener on loopback refuses a request: a page of another site may have caused it. Programs
 * send neither Origin nor Sec-Fetch-Site.
 */
export const refusedPage = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  { isOwnHost = isLocalHost, isLinked = false }: OwnRequests = {},
): string | undefined => {
  const { host = '', origin } = headers
  if (!isOwnHost(host))
    return `the Host header ${printable(host.slice(0, 100))} does not belong to this listener. Use 127.0.0.1 or localhost, with the port`
  if (origin !== undefined && origin !== `http://${host}`)
    return 'the request comes from a page of another origin'
  const site = headers['sec-fetch-site'] ?? 'none'
  const isOwn = site === 'same-origin' || site === 'none'
  const isLink =
    isLinked && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return isOwn || isLink ? undefined : 'the request comes from a page of another site'
}

/** Wraps the listener of a server on loopback: pages of other sites get 403. */
export const refusePages =
  (listener: RequestListener, options?: OwnRequests): RequestListener =>
  (request, response) => {
    const why = refusedPage(request, options)
    if (why === undefined) return listener(request, response)
    response
      .writeHead(403, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end(`${why}\n`)
  }

/** Returns the same for a server at an address that is perhaps on loopback. Elsewhere, clients know it by any name. */
export const refusePagesAt = (
  address: string,
  listener: RequestListener,
  options?: OwnRequests,
): RequestListener => (/^(?:127\.|::1$|localhost$)/.test(address) ? refusePages(listener, options) : listener)
