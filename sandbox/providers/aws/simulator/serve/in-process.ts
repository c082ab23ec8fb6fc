import type { HttpHandler } from '@smithy/core/protocols'
import { authorizationOf } from '../accounts/authorization.ts'
import type { WireResponse } from '../codec/message.ts'
import { fromSdkRequest, toSdkResponse } from '../codec/sdk-message.ts'
import type { AnswerRequest } from './answer.ts'
import { isRegion } from './regions.ts'

/** The type of a client's `requestHandler` setting. */
export type SdkRequestHandler = HttpHandler & { destroy(): void }

/** The SDK's own handlers accept either kind of signal. */
const abortSignalOf = (signal: unknown): AbortSignal | undefined =>
  signal instanceof AbortSignal ? signal : undefined

/** The failure of Node's resolver for a region that does not exist: its hosts have no address. */
const unknownHost = (hostname: string): Error =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  })

const connectionReset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

/**
 * The simulator's virtual time may differ from the process time. SDKs would treat that as clock skew, correct their
 * signing time and retry refused requests.
 */
const undated = ({ headers: { date: _, ...headers }, ...response }: WireResponse): WireResponse => ({
  ...response,
  headers,
})

/**
 * Serves SDK clients without a network: `new Route53Client({ requestHandler })`. The client does its own serialization,
 * signing and retries.
 */
export const inProcessHandler = (answer: AnswerRequest): SdkRequestHandler => ({
  metadata: { handlerProtocol: 'http/1.1' },
  handle: async (request, options = {}) => {
    const signal = abortSignalOf(options.abortSignal)
    signal?.throwIfAborted()
    const wire = await fromSdkRequest(request)
    const headers = { host: request.hostname, ...wire.headers }
    const { hostname } = request
    const authorization = authorizationOf(wire)
    const region = typeof authorization === 'object' ? authorization.region : 'us-east-1'
    if (!isRegion(region) && hostname.includes(`.${region}.amazonaws.`)) throw unknownHost(hostname)
    const { response, streaming } = await answer({ ...wire, headers }, signal)
    signal?.throwIfAborted()
    if (!response) throw connectionReset()
    return { response: toSdkResponse(undated(response), streaming) }
  },
  destroy: () => {},
  updateHttpClientConfig: () => {},
  httpHandlerConfigs: () => ({}),
})
