import { codeOf, messageOf } from '../../text/message-of.ts'
import { ConnectionError } from '../port.ts'
import type { TransportRequest } from './transport.ts'

/** Errors that occur before any byte of the request can reach the server. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Returns the error of a failed connection: the signal's reason if it aborted, else a `ConnectionError`. */
export const connectionFailure = (
  request: TransportRequest,
  cause: unknown,
  sent: boolean = !isNeverSent(cause),
): unknown =>
  request.signal?.aborted
    ? request.signal.reason
    : new ConnectionError(`${request.method} ${request.path}: ${messageOf(cause)}`, { cause, sent })

/** Node combines the failed attempts to connect to the addresses of a name. */
const isNeverSent = (cause: unknown): boolean =>
  neverSent.has(codeOf(cause) ?? '') ||
  (cause instanceof AggregateError && cause.errors.every(({ syscall }) => syscall === 'connect'))
