import type { V1PodDisruptionBudget } from '@kubernetes/client-node'
import type { Rendered } from '../kubernetes/kubernetes.ts'
import type { TextMap } from './system-namespace.ts'

/** One pod at most goes at a time, and one that is not ready goes at once. */
export const podDisruptionBudget = (
  namespace: string,
  name: string,
  labels: TextMap,
): Rendered<V1PodDisruptionBudget> => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace, labels },
  spec: {
    maxUnavailable: 1,
    selector: { matchLabels: labels },
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  },
})
