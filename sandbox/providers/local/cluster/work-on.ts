import { type Clock, formatSeconds, type Timestamp } from '../../../../shared/clock/clock.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
} from '../../../../shared/kubernetes/kubernetes.ts'
import { durations } from './durations.ts'

interface ClusterSurroundings {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly scale: number
  readonly signal: AbortSignal
}

/** Delays deletions. Load balancer controllers have such a finalizer too. */
const finalizers: Readonly<Record<string, string>> = {
  namespaces: 'provider-cluster.sandbox/namespace',
  pods: 'provider-cluster.sandbox/pod',
  services: 'service.kubernetes.io/load-balancer-cleanup',
}

const core = (plural: string): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced: plural !== 'namespaces',
})

/** The cluster's own namespaces belong to no shoot. */
const systemNamespace = /^(?:default|kube-.*)$/

/** Simulates the next change of an object. Resolves with the ms until the following one. */
export const workOn = async (
  around: ClusterSurroundings,
  plural: string,
  key: ObjectKey,
): Promise<number | undefined> => {
  const { kubernetes, signal } = around
  const object = await kubernetes.get(core(plural), key, { signal })
  if (object === undefined || (plural === 'namespaces' && systemNamespace.test(key.name))) return undefined
  try {
    return object.metadata.deletionTimestamp === undefined
      ? await live(around, plural, key, object)
      : await leave(around, plural, key, object)
  } catch (error) {
    // The object has changed or was deleted.
    if (error instanceof KubernetesError && [404, 409, 422].includes(error.status)) return undefined
    throw error
  }
}

const live = async (
  { kubernetes, clock, scale }: ClusterSurroundings,
  plural: string,
  key: ObjectKey,
  { metadata, spec, status }: KubernetesObject,
): Promise<number | undefined> => {
  const isBalanced = plural !== 'services' || Object(spec).type === 'LoadBalancer'
  if (!isBalanced) return undefined
  const finalizer = finalizers[plural] ?? ''
  const { uid, resourceVersion } = metadata
  if (!(metadata.finalizers ?? []).includes(finalizer)) {
    const held = [...(metadata.finalizers ?? []), finalizer]
    await kubernetes.patch(core(plural), key, { metadata: { uid, resourceVersion, finalizers: held } })
    return undefined
  }
  const next = progress[plural]?.(key, Object(status), clock.now())
  if (next === undefined) return undefined
  const left = sinceOf(metadata.creationTimestamp) + next.afterMs * scale - clock.now()
  if (left > 0) return left
  await kubernetes.patch(
    core(plural),
    key,
    { metadata: { resourceVersion }, status: next.status },
    { subresource: 'status' },
  )
  return undefined
}

interface StatusProgress {
  readonly afterMs: number
  readonly status: object
}

/** The final status of each kind; undefined: it is reached. */
const progress: Readonly<
  Record<
    string,
    (key: ObjectKey, status: Readonly<Record<string, unknown>>, now: Timestamp) => StatusProgress | undefined
  >
> = {
  pods: (_, { phase }, now) =>
    phase === 'Running'
      ? undefined
      : {
          afterMs: durations.podReady,
          status: {
            phase: 'Running',
            conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatSeconds(now) }],
          },
        },
  services: (key, { loadBalancer }) =>
    Object(loadBalancer).ingress !== undefined
      ? undefined
      : {
          afterMs: durations.loadBalancer,
          status: { loadBalancer: { ingress: [{ ip: addressOf(key), ipMode: 'VIP' }] } },
        },
}

const gone: Readonly<Record<string, number>> = {
  pods: durations.podGone,
  services: durations.loadBalancerGone,
  namespaces: durations.namespaceGone,
}

const leave = async (
  { kubernetes, clock, scale }: ClusterSurroundings,
  plural: string,
  key: ObjectKey,
  { metadata }: KubernetesObject,
): Promise<number | undefined> => {
  const finalizer = finalizers[plural] ?? ''
  const { finalizers: held = [], uid, resourceVersion, deletionTimestamp } = metadata
  if (!held.includes(finalizer)) return undefined
  const left = sinceOf(deletionTimestamp) + (gone[plural] ?? 0) * scale - clock.now()
  if (left > 0) return left
  const rest = held.filter(one => one !== finalizer)
  await kubernetes.patch(core(plural), key, { metadata: { uid, resourceVersion, finalizers: rest } })
  return undefined
}

/** API servers write whole seconds. */
const sinceOf = (time: string | undefined): Timestamp => (time === undefined ? 0 : Date.parse(time))

/** Returns a load balancer address of Gardener's local setup, the same for the same name. */
const addressOf = ({ name, namespace = '' }: ObjectKey): string => {
  const sum = [...`${namespace}/${name}`].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 27, 7)
  return `172.18.255.${226 + sum}`
}
