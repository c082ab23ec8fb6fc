import type { Clock } from '../clock/clock.ts'
import { startDeadline } from './deadline.ts'
import {
  ConnectionError,
  type Kubernetes,
  type KubernetesObject,
  type ListPage,
  type PatchOptions,
  type RequestOptions,
} from './port.ts'
import { collectionPath, creationPath, objectPath, queryString } from './resource-path.ts'
import { defaultRetryPolicy, type RequestClass, type RetryPolicy, withRetries } from './retry.ts'
import { errorOfAnswer, saysObjectNotFound } from './status-error.ts'
import { readText, type Transport, type TransportRequest, type TransportResponse } from './transport.ts'
import { watchEvents } from './watch-stream.ts'

export interface KubernetesClientOptions {
  readonly transport: Transport
  readonly clock: Clock
  /** Longest time from sending a request to the end of its answer (a watch: to its first byte), in ms; 30,000. */
  readonly timeoutMs?: number
  readonly retry?: RetryPolicy
  /** 0 ≤ x < 1, for the jitter of the waits. */
  readonly random?: () => number
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface WireList {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly Omit<KubernetesObject, 'apiVersion' | 'kind'>[] | null
}

const accept = { accept: 'application/json' }
const json = { ...accept, 'content-type': 'application/json' }
const mergePatch = { ...accept, 'content-type': 'application/merge-patch+json' }

/**
 * The Kubernetes port over a transport.
 *
 * @example
 * const access = await clusterAccess({ kubeconfig: settings.kubeconfig })
 * const kubernetes = createKubernetes({ transport: httpTransport({ access, clock }), clock })
 * const record = await kubernetes.get(dnsRecords, { namespace: 'shoot--foo--bar', name: 'internal' })
 */
export const createKubernetes = (options: KubernetesClientOptions): Kubernetes => {
  const { transport, clock, timeoutMs = 30_000 } = options
  const retries = {
    clock,
    policy: options.retry ?? defaultRetryPolicy,
    random: options.random ?? Math.random,
  }

  const readAnswer = async (request: TransportRequest): Promise<Answer> => {
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

  const succeeded = (answer: Answer): Answer => {
    if (answer.status >= 300) throw errorOfAnswer(answer.status, answer.headers, answer.text)
    return answer
  }

  const parse = <T>(answer: Answer): T => {
    try {
      return JSON.parse(answer.text) as T
    } catch (cause) {
      throw new ConnectionError('reading an answer: it is not complete', { cause, sent: true })
    }
  }

  /** Sends until `judge` accepts the answer or the error is final. */
  const send = <T>(
    requestClass: RequestClass,
    request: TransportRequest,
    judge: (answer: Answer) => T,
  ): Promise<T> =>
    withRetries(retries, requestClass, request.signal, async () => judge(await readAnswer(request)))

  const objectOf = (answer: Answer): KubernetesObject => parse<KubernetesObject>(succeeded(answer))

  const write = (
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: object,
    { signal }: RequestOptions = {},
  ): Promise<KubernetesObject> =>
    send('write', { method, path, headers, body: JSON.stringify(body), ...(signal && { signal }) }, objectOf)

  /** Opens a watch. The time limit ends with the answer's head; the signal goes on to end the stream. */
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

  return {
    get: (resource, key, { signal } = {}) =>
      send(
        'read',
        { method: 'GET', path: objectPath(resource, key), headers: accept, ...(signal && { signal }) },
        answer => (saysObjectNotFound(answer.status, answer.text) ? undefined : objectOf(answer)),
      ),

    list: (resource, { namespace, signal, ...query } = {}) =>
      send(
        'read',
        {
          method: 'GET',
          path: collectionPath(resource, namespace) + queryString(query),
          headers: accept,
          ...(signal && { signal }),
        },
        answer => pageOf(parse<WireList>(succeeded(answer))),
      ),

    async *watch(resource, { namespace, signal, ...query } = {}) {
      signal?.throwIfAborted()
      const ended = new AbortController()
      const follow = () => ended.abort(signal?.reason)
      signal?.addEventListener('abort', follow, { once: true })
      try {
        const path = collectionPath(resource, namespace) + queryString(watchQuery(query))
        yield* watchEvents((await open(path, ended.signal)).body)
      } finally {
        signal?.removeEventListener('abort', follow)
        ended.abort()
      }
    },

    create: (resource, object, requestOptions) =>
      write('POST', creationPath(resource, object.metadata.namespace), json, object, requestOptions),

    replace: (resource, object, { subresource, ...requestOptions }: PatchOptions = {}) =>
      write('PUT', objectPath(resource, object.metadata, subresource), json, object, requestOptions),

    patch: (resource, key, patch, { subresource, ...requestOptions }: PatchOptions = {}) =>
      write('PATCH', objectPath(resource, key, subresource), mergePatch, patch, requestOptions),

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

/** Items of built-in resources come without apiVersion and kind; they are those of the list. */
const pageOf = (list: WireList): ListPage => {
  const kind = list.kind.replace(/List$/, '')
  const { resourceVersion, continue: token, remainingItemCount } = list.metadata
  return {
    items: (list.items ?? []).map(
      item => ({ apiVersion: list.apiVersion, kind, ...item }) as KubernetesObject,
    ),
    resourceVersion,
    ...(token ? { continue: token } : {}),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  }
}

/** A watch-list must also say how fresh it wants to start (the server answers 422 without). */
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
