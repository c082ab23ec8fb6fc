import type { V1PodDisruptionBudget } from '@kubernetes/client-node'
import type { Rendered } from '../kubernetes/kubernetes.ts'
import type { TextMap } from './system-namespace.ts'

/**
 * Returns a PodDisruptionBudget: at most one pod is evicted at a time. An unready one may always be evicted.
 *
 * @example
 * const budget = podDisruptionBudget(namespace, 'dns-sync', { app: 'dns-sync' })
 */
export const podDisruptionBudget = (
  namespace: string,
  name: string,
  labels: TextMap,
): Rendered<V1PodDisruptionBudget> => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace, labels },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
})
