import { EventEmitter } from 'node:events'
import type { ClientRequest, RequestOptions } from 'node:http'
import { Readable } from 'node:stream'
import type { Transport } from '../../../shared/kubernetes/kubernetes.ts'
import { refusedConnection } from '../process/simulated-post.ts'

/**
 * Returns an `http.request` for servers of this process. It does what `httpTransport` uses: the response, errors, an
 * end by `destroy`.
 *
 * @param transportOf the server of a host; undefined: nothing listens there
 */
export const simulatedHttp =
  (transportOf: (host: string) => Transport | undefined) =>
  ({ host, method, path, headers }: RequestOptions): ClientRequest => {
    const ended = new AbortController()
    const emitter = new EventEmitter()
    const fail = (error: unknown): void => {
      if (emitter.listenerCount('error') > 0) emitter.emit('error', error)
    }
    const send = async (body: string | undefined): Promise<void> => {
      const transport = transportOf(host ?? '')
      if (transport === undefined) throw refusedConnection()
      const response = await transport({
        method: (method ?? 'GET') as 'GET',
        path: path ?? '/',
        headers: headers as Readonly<Record<string, string>>,
        ...(body !== undefined && { body }),
        signal: ended.signal,
      })
      const incoming = Object.assign(Readable.from(response.body), {
        statusCode: response.status,
        headers: response.headers,
      })
      emitter.emit('response', incoming)
    }
    return Object.assign(emitter, {
      end: (body?: string) => void send(body).catch(fail),
      destroy: () => {
        if (ended.signal.aborted) return
        const error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
        ended.abort(error)
        fail(error)
      },
    }) as unknown as ClientRequest
  }
