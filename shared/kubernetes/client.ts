import { type Clock, followSignal } from '../clock/clock.ts'
import { createPageReader, pageOf, parseAnswer, type WireList } from './client/list-stream.ts'
import { collectionPath, creationPath, objectPath, queryString } from './client/resource-path.ts'
import { defaultRetryPolicy, type RequestClass, type RetryPolicy, withRetries } from './client/retry.ts'
import { errorOfAnswer, saysObjectNotFound } from './client/status-error.ts'
import { watchEvents } from './client/watch-events.ts'
import {
  ConnectionError,
  type Kubernetes,
  type KubernetesObject,
  type ListPage,
  type PatchOptions,
  type ReplaceOptions,
  type RequestOptions,
} from './port.ts'
import { startDeadline } from './transport/deadline.ts'
import { endWhenIdle, IdleStreamError } from './transport/end-when-idle.ts'
import {
  readText,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport/transport.ts'

export interface KubernetesClientOptions {
  readonly transport: Transport
  readonly clock: Clock
  /**
   * Timeout from sending a request to the end of its response (of a watch: to its first byte), in milliseconds.
   * Default: 30,000.
   */
  readonly timeoutMs?: number
  readonly retry?: RetryPolicy
  /** Returns 0 ≤ x < 1 for the jitter of the waits. */
  readonly random?: () => number
}

interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const accept = { accept: 'application/json' }
const json = { ...accept, 'content-type': 'application/json' }
const mergePatch = { ...accept, 'content-type': 'application/merge-patch+json' }
/** The only content type of API servers for apply; JSON is valid YAML. */
const applyPatch = { ...accept, 'content-type': 'application/apply-patch+yaml' }

/**
 * Creates the Kubernetes port over a transport.
 *
 * @example
 * const apiServer = createApiServer({ clock })
 * const client = createKubernetes({ transport: apiServer.transport, clock })
 * const settings = await client.get(configMaps, { namespace, name: 'settings' })
 */
export const createKubernetes = (options: KubernetesClientOptions): Kubernetes => {
  const { transport, clock, timeoutMs = 30_000 } = options
  const retries = {
    clock,
    policy: options.retry ?? defaultRetryPolicy,
    random: options.random ?? Math.random,
  }

  const readAnswer = async (request: TransportRequest): Promise<ApiAnswer> => {
    const what = `${request.method} ${request.path}`
    const deadline = startDeadline(clock, timeoutMs, what, request.signal)
    try {
      deadline.signal.throwIfAborted()
      const response = await transport({ ...request, signal: deadline.signal })
      return { status: response.status, headers: response.headers, text: await readText(response.body) }
    } finally {
      deadline.release()
    }
  }

  const succeeded = (answer: ApiAnswer): ApiAnswer => {
    if (answer.status >= 300) throw errorOfAnswer(answer.status, answer.headers, answer.text)
    return answer
  }

  /** Retries until `judge` accepts the response or the error is final. */
  const send = <T>(
    requestClass: RequestClass,
    request: TransportRequest,
    judge: (answer: ApiAnswer) => T,
  ): Promise<T> =>
    withRetries(retries, requestClass, request.signal, async () => judge(await readAnswer(request)))

  const objectOf = (answer: ApiAnswer): KubernetesObject =>
    parseAnswer<KubernetesObject>(succeeded(answer).text)

  const write = (
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: object,
    { signal }: RequestOptions = {},
  ): Promise<KubernetesObject> =>
    send('write', { method, path, headers, body: JSON.stringify(body), ...(signal && { signal }) }, objectOf)

  /** Opens a watch. The timeout ends with the response's head; the signal can still end the stream. */
  const open = (path: string, signal: AbortSignal): Promise<TransportResponse> =>
    withRetries(retries, 'read', signal, async () => {
      const deadline = startDeadline(clock, timeoutMs, `GET ${path}`, signal)
      try {
        deadline.signal.throwIfAborted()
        const response = await transport({ method: 'GET', path, headers: accept, signal: deadline.signal })
        if (response.status === 200) return response
        throw errorOfAnswer(response.status, response.headers, await readText(response.body))
      } finally {
        deadline.stopTimer()
      }
    })

  /** The bytes of a watch. Leaving the iteration ends its request. */
  async function* streamOf(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted()
    const ended = followSignal(signal)
    try {
      yield* (await open(path, ended.signal)).body
    } finally {
      ended.release()
      ended.abort()
    }
  }

  /** Reads a page in pieces. The timeout applies to its head, and then to each piece. */
  const readPage = async (
    path: string,
    each: (object: KubernetesObject) => void,
    signal: AbortSignal | undefined,
  ): Promise<ListPage> => {
    const reader = createPageReader(each)
    const ended = followSignal(signal)
    try {
      const { body } = await open(path, ended.signal)
      await endWhenIdle(() => body, reader.push, { clock, idleMs: timeoutMs, signal: ended.signal })
      return reader.page()
    } catch (error) {
      // The rest of the response is not needed. After the end of the response, an abort would close the reusable
      // connection.
      ended.abort(error)
      if (!(error instanceof IdleStreamError)) throw error
      throw new ConnectionError(`GET ${path}: ${error.message}`, { cause: error, sent: true })
    } finally {
      ended.release()
    }
  }

  return {
    get: (resource, key, { signal } = {}) =>
      send(
        'read',
        { method: 'GET', path: objectPath(resource, key), headers: accept, ...(signal && { signal }) },
        answer => (saysObjectNotFound(answer.status, answer.text) ? undefined : objectOf(answer)),
      ),

    list: (resource, { namespace, signal, each, ...query } = {}) => {
      const path = collectionPath(resource, namespace) + queryString(query)
      if (each !== undefined) return readPage(path, each, signal)
      return send('read', { method: 'GET', path, headers: accept, ...(signal && { signal }) }, answer =>
        pageOf(parseAnswer<WireList>(succeeded(answer).text)),
      )
    },

    watch: (resource, { namespace, signal, ...query } = {}) =>
      watchEvents(streamOf(collectionPath(resource, namespace) + queryString(watchQuery(query)), signal)),

    create: (resource, object, requestOptions) =>
      write('POST', creationPath(resource, object.metadata.namespace), json, object, requestOptions),

    replace: (resource, object, { subresource, ...requestOptions }: ReplaceOptions = {}) =>
      write('PUT', objectPath(resource, object.metadata, subresource), json, object, requestOptions),

    patch: (resource, key, patch, { subresource, ...requestOptions }: PatchOptions = {}) =>
      write('PATCH', objectPath(resource, key, subresource), mergePatch, patch, requestOptions),

    apply: (resource, object, { fieldManager, force = false, ...requestOptions }) => {
      const path = objectPath(resource, object.metadata) + queryString({ fieldManager, force })
      return write('PATCH', path, applyPatch, object, requestOptions)
    },

    delete: (resource, key, { uid, resourceVersion, signal } = {}) =>
      send(
        'write',
        {
          method: 'DELETE',
          path: objectPath(resource, key),
          headers: json,
          body: JSON.stringify(deleteOptions(uid, resourceVersion)),
          ...(signal && { signal }),
        },
        answer => {
          if (!saysObjectNotFound(answer.status, answer.text)) succeeded(answer)
        },
      ),
  }
}

/** A watch-list also needs a `resourceVersionMatch`; without it the server answers 422. */
const watchQuery = (query: {
  readonly sendInitialEvents?: boolean
  readonly [name: string]: string | number | boolean | undefined
}) => ({
  watch: true,
  ...query,
  ...(query.sendInitialEvents === undefined ? {} : { resourceVersionMatch: 'NotOlderThan' }),
})

const deleteOptions = (uid: string | undefined, resourceVersion: string | undefined) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  propagationPolicy: 'Background',
  ...(uid === undefined && resourceVersion === undefined
    ? {}
    : { preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) } }),
})
