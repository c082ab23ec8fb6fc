import type { Clock } from '../../../clock/clock.ts'
import { clusterKind } from '../../../contract/kinds.ts'
import { isLonger } from '../../../decode/json-bounds.ts'
import {
  createReflector,
  type Kubernetes,
  type KubernetesObject,
  permittedKubernetes,
} from '../../../kubernetes/kubernetes.ts'
import type { Log } from '../../../log/log.ts'
import type { Lookup, WebhookDefinition } from '../../admission/admission.ts'
import type { OpenLookup } from '../serve/answer-requests.ts'

/** The API server of an open shoot. */
export interface ShootLookup {
  readonly kubernetes: Lookup
  readonly close: () => void
}

/** Connects to a shoot's API server, by the namespace of its control plane. */
export type ReachShoot = (namespace: string, signal: AbortSignal) => Promise<ShootLookup>

/**
 * The lookups of reviews: the target cluster and, for `shoot`, the shoot's API server, which is connected at the first
 * lookup. Allows only the definition's permissions, and no writes.
 */
export const createLookups =
  (kubernetes: Lookup, openShoot: ReachShoot): OpenLookup =>
  (definition, shoot, signal) => {
    if (shoot === undefined)
      return { lookup: permitted(definition, within(kubernetes, signal)), close: () => {} }
    let opening: ReturnType<ReachShoot> | undefined
    const opened = () => {
      opening ??= openShoot(shoot, signal)
      return opening
    }
    const inShoot: Lookup = {
      get: async (...of) => within((await opened()).kubernetes, signal).get(...of),
      list: async (...of) => within((await opened()).kubernetes, signal).list(...of),
    }
    return {
      lookup: permitted(definition, inShoot),
      close: () => {
        opening?.then(({ close }) => close()).catch(() => undefined)
      },
    }
  }

/** Ends with the review. */
const within = (lookup: Lookup, signal: AbortSignal): Lookup => ({
  get: (resource, key) => lookup.get(resource, key, { signal }),
  list: (resource, options) => lookup.list(resource, { ...options, signal }),
})

const permitted = ({ permissions }: WebhookDefinition, lookup: Lookup): Lookup => {
  const { get, list } = permittedKubernetes({ ...readOnly, ...lookup }, permissions)
  return { get, list }
}

const refuse = (): never => {
  throw new Error('an admission function can only read')
}

const readOnly: Omit<Kubernetes, 'get' | 'list'> = {
  watch: refuse,
  create: refuse,
  replace: refuse,
  patch: refuse,
  apply: refuse,
  delete: refuse,
}

/** The maximum number of cached objects, the most recently used ones. Reviews of a shoot usually arrive in sequence. */
const mostObjects = 16
/** Characters of JSON. A longer object is not cached, so all of them take at most about 30 MB. */
const longestObject = 500_000
/**
 * The longest time that an object is cached, in milliseconds: a connection may be dead for a while before its watch
 * notices.
 */
const longestMs = 10_000

export interface CurrentClustersOptions {
  readonly kubernetes: Lookup
  /** Connects to the same API server, and returns only metadata. */
  readonly metadata: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Returns a lookup that reads a Cluster once for all reviews of its shoot, until it changes. A Cluster has about 200
 * KB, and reading it takes longer than the rest of a review. A cached Cluster is returned only while its version is
 * that of the watch. If the version is unknown or the Cluster is missing, the API server is read.
 *
 * `run` follows the versions until the signal aborts. Call it once.
 */
export const currentClusters = ({
  kubernetes,
  metadata,
  clock,
  log,
}: CurrentClustersOptions): {
  readonly lookup: Lookup
  readonly run: (signal: AbortSignal) => Promise<void>
} => {
  const { resource } = clusterKind
  const versions = new Map<string, string>()
  /** After the end of a watch, all versions are unknown until the next one reports: changes in between are missed. */
  let isUp = false
  const reflector = createReflector({
    kubernetes: metadata,
    resource,
    clock,
    log,
    // A streamed watch confirms its start. A resumed one confirms it with a bookmark, up to a minute later.
    streamed: true,
    handler: {
      upsert: ({ metadata: { name, resourceVersion } }) => {
        if (resourceVersion === undefined) versions.delete(name)
        else versions.set(name, resourceVersion)
      },
      deleted: ({ name }) => void versions.delete(name),
      heard: () => {
        isUp = true
      },
      restarted: () => {
        isUp = false
      },
    },
  })
  const isCurrent = ({ metadata: { name, resourceVersion } }: KubernetesObject): boolean =>
    isUp && resourceVersion !== undefined && versions.get(name) === resourceVersion

  /** By name, the most recently used one last. */
  const cached = new Map<string, { readonly object: KubernetesObject; readonly readAt: number }>()

  const get: Lookup['get'] = async (asked, key, options) => {
    if (
      asked.group !== resource.group ||
      asked.plural !== resource.plural ||
      asked.version !== resource.version
    )
      return kubernetes.get(asked, key, options)
    const { name } = key
    const readAt = clock.now()
    const before = cached.get(name)
    cached.delete(name)
    const age = before === undefined ? longestMs : readAt - before.readAt
    if (before !== undefined && age >= 0 && age < longestMs && isCurrent(before.object)) {
      cached.set(name, before)
      return before.object
    }
    const object = await kubernetes.get(asked, key, options)
    if (object === undefined || !isCurrent(object) || isLonger(object, longestObject)) return object
    cached.delete(name)
    cached.set(name, { object, readAt })
    for (const [oldest] of cached) {
      if (cached.size <= mostObjects) break
      cached.delete(oldest)
    }
    return object
  }
  return { lookup: { get, list: kubernetes.list }, run: signal => reflector.run(signal) }
}

export const readsClusters = (definitions: readonly WebhookDefinition[]): boolean =>
  definitions.some(
    ({ permissions, target }) =>
      target === 'seed' &&
      permissions.some(
        ({ resource: { group, plural } }) =>
          group === clusterKind.resource.group && plural === clusterKind.resource.plural,
      ),
  )
