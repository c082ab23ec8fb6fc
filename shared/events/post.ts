import http from 'node:http'
import https from 'node:https'
import type { Clock } from '../clock/clock.ts'
import type { HttpHeaders } from './read-event.ts'
import type { HttpMessage } from './write-event.ts'

export interface PostOptions {
  /** Agent for the protocol of the URLs (`http` or `https`). Default: Node's global agents. */
  readonly agent?: http.Agent | undefined
  /** Timeout of the whole exchange in milliseconds, including connecting and reading the response. */
  readonly timeoutMs: number
  /** Timeout of the connection with TLS, in milliseconds. Absent: only `timeoutMs` applies. */
  readonly connectMs?: number | undefined
  readonly clock: Clock
}

export interface PostAnswer {
  readonly status: number
  readonly headers: HttpHeaders
  /** The first MiB at most. */
  readonly body: Uint8Array
}

/** The (complete) response did not arrive in time. The receiver may have acted. */
export class PostTimeoutError extends Error {
  override readonly name = 'PostTimeoutError'
}

/** The connection was not established in time, so the receiver got nothing. */
class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError'
  /** The system's code for its own connection timeout. */
  readonly code = 'ETIMEDOUT'
}

const answerLimit = 1024 * 1024

/**
 * POSTs a message and follows no redirect. Sends it again only if a reused connection was already closed. Throws the
 * signal's reason on abort, `PostTimeoutError` or `ConnectTimeoutError` on a timeout, and Node's error for a failed
 * connection.
 *
 * Uses Node's client: undici would take 22 MB more in a process that is mostly idle.
 */
export const createPost =
  ({ agent, timeoutMs, connectMs, clock }: PostOptions) =>
  async (url: string, message: HttpMessage, signal: AbortSignal): Promise<PostAnswer> => {
    signal.throwIfAborted()
    const ended = new AbortController()
    const follow = () => ended.abort(signal.reason)
    signal.addEventListener('abort', follow, { once: true })
    const cancel = clock.after(timeoutMs, () =>
      ended.abort(new PostTimeoutError(`no answer within ${timeoutMs} ms`)),
    )
    const limitConnect = (request: http.ClientRequest) => {
      if (connectMs === undefined) return
      const disarm = clock.after(connectMs, () =>
        ended.abort(new ConnectTimeoutError(`no connection within ${connectMs} ms`)),
      )
      request.once('close', disarm)
      request.once('socket', socket => {
        if (request.reusedSocket) disarm()
        else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', disarm)
      })
    }
    const once = () => exchange(url, message, agent, limitConnect, ended.signal)
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error
      return await once()
    } finally {
      cancel()
      signal.removeEventListener('abort', follow)
    }
  }

/** The receiver closed an idle connection before it read the request. This is not an error of either side. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
}

const exchange = (
  url: string,
  { headers, body }: HttpMessage,
  agent: http.Agent | undefined,
  opened: (request: http.ClientRequest) => void,
  signal: AbortSignal,
): Promise<PostAnswer> =>
  new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      ...(agent === undefined ? {} : { agent }),
    })
    opened(request)
    const abort = () => request.destroy()
    signal.addEventListener('abort', abort, { once: true })
    const removeListener = () => signal.removeEventListener('abort', abort)
    const fail = (error: unknown) => {
      removeListener()
      reject(signal.aborted ? signal.reason : error)
    }
    let answered = false
    request.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = !answered && request.reusedSocket && error.code === 'ECONNRESET'
      fail(isStale ? new StaleConnectionError(error.message, { cause: error }) : error)
    })
    request.once('response', response => {
      answered = true
      const chunks: Uint8Array[] = []
      let length = 0
      const finish = () => {
        removeListener()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).subarray(0, answerLimit),
        })
      }
      response.on('data', (chunk: Uint8Array) => {
        chunks.push(chunk)
        length += chunk.length
        if (length <= answerLimit) return
        finish()
        request.destroy()
      })
      response.once('end', finish)
      response.once('error', fail)
    })
    // A complete body is sent together with the head.
    request.end(body)
    if (signal.aborted) abort()
  })
