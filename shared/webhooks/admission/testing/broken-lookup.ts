import { KubernetesError } from '../../../kubernetes/kubernetes.ts'
import type { Lookup } from '../review.ts'

/** An unavailable API server. */
export const brokenLookup: Lookup = {
  get: () => Promise.reject(new KubernetesError(500, 'InternalError', 'etcd is away')),
  list: () => Promise.reject(new KubernetesError(500, 'InternalError', 'etcd is away')),
}
