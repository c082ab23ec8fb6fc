import http2 from 'node:http2'
import type { Credentials } from '../access/cluster-access.ts'
import { connectionFailure } from './connection-failure.ts'
import { http2Body } from './http2-body.ts'
import type { TransportRequest, TransportResponse } from './transport.ts'
import { flatHeaders } from './transport.ts'

/** Sends one request on a connection that others use concurrently. */
export const exchangeOverHttp2 = (
  session: http2.ClientHttp2Session,
  prefix: string,
  request: TransportRequest,
  credentials: Credentials,
): Promise<TransportResponse> =>
  new Promise((resolve, reject) => {
    let stream: http2.ClientHttp2Stream
    try {
      stream = session.request(
        {
          ...request.headers,
          ...credentials.headers,
          ':method': request.method,
          ':path': prefix + request.path,
        },
        { endStream: request.body === undefined },
      )
    } catch (error) {
      // The connection ended after it was chosen.
      return reject(connectionFailure(request, error, false))
    }
    let failure: unknown
    const fail = () => {
      // The server reports that it did not process the request.
      const refused = stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM
      const cause = failure ?? new Error(`the stream ended with code ${stream.rstCode}`)
      return refused ? connectionFailure(request, cause, false) : connectionFailure(request, cause)
    }
    const abort = () => stream.close(http2.constants.NGHTTP2_CANCEL)
    request.signal?.addEventListener('abort', abort, { once: true })
    stream.on('error', error => {
      failure = error
    })
    stream.once('response', ({ ':status': status = 0, ...headers }) => {
      resolve({ status, headers: flatHeaders(headers), body: http2Body(stream, fail) })
    })
    stream.once('close', () => {
      request.signal?.removeEventListener('abort', abort)
      // Has no effect after a response.
      reject(fail())
    })
    if (request.body !== undefined) stream.end(request.body)
  })
