import * as z from 'zod'
import { isForceDeletionConfirmed, isShootFailed } from '../../contract/cluster-facts.ts'
import { labels } from '../../contract/constants.ts'
import { clusterKind, type KindName } from '../../contract/kinds.ts'
import { parseCluster } from '../../contract/parse.ts'
import { formatProblems } from '../../contract/problems.ts'
import type { Cluster } from '../../contract/schemas/cluster.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../kubernetes/port.ts'
import { factsOf } from '../decide/facts.ts'
import { kindRules } from '../decide/kind-rules.ts'

/** The Cluster of an object, by the rule of its kind (docs/contract/lifecycle.md#reading-the-cluster). */
export type ClusterLookup =
  | { readonly kind: 'found'; readonly cluster: Cluster }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed-shoot' }
  /** It has to be there and is not, or it cannot be decoded: retried with backoff, without a status. */
  | {
      readonly kind: 'unreadable'
      readonly error: Error
      /** The Shoot in it orders to force the deletion, whatever else of it cannot be decoded. */
      readonly forced: boolean
    }

const namespaces: GroupVersionResource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

/**
 * Reads the Cluster. A kind that has one only in a shoot's namespace asks for the Cluster first and for the
 * namespace's role only where there is none, which saves a request in the usual case.
 *
 * Throws what the Kubernetes port throws when the API server does not answer.
 */
export const clusterOf = async (
  kubernetes: Kubernetes,
  kind: KindName,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<ClusterLookup> => {
  const rules = kindRules[kind]
  const { namespace } = object.metadata
  if (rules.cluster === 'never' || namespace === undefined) return { kind: 'none' }
  if (factsOf(object).extensionClass !== 'shoot') return { kind: 'none' }

  const found = await kubernetes.get(clusterKind.resource, { name: namespace }, { signal })
  if (found !== undefined) {
    const parsed = parseCluster(found)
    if (!parsed.ok) {
      const error = new Error(`decoding the Cluster ${namespace}: ${formatProblems(parsed.problems)}`)
      return { kind: 'unreadable', error, forced: ordersForce(kind, found) }
    }
    if (rules.stopsForFailedShoot && isShootFailed(parsed.object)) return { kind: 'failed-shoot' }
    return { kind: 'found', cluster: parsed.object }
  }
  if (rules.cluster === 'in-shoot-namespace') {
    const role = (await kubernetes.get(namespaces, { name: namespace }, { signal }))?.metadata.labels?.[
      labels.role
    ]
    if (role !== 'shoot') return { kind: 'none' }
  }
  const error = new KubernetesError(
    404,
    'NotFound',
    `there is no Cluster ${namespace} for the shoot's namespace`,
  )
  return { kind: 'unreadable', error, forced: false }
}

const shootAnnotations = z.object({
  spec: z.object({
    shoot: z.object({ metadata: z.object({ annotations: z.record(z.string(), z.string()) }) }),
  }),
})

const ordersForce = (kind: KindName, cluster: KubernetesObject): boolean => {
  const { data } = shootAnnotations.safeParse(cluster)
  return kindRules[kind].forceDelete === 'shoot annotation' && !!data && isForceDeletionConfirmed(data)
}
