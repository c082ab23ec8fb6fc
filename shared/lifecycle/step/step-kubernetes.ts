import type { Kubernetes } from '../../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../actuator.ts'

/** Kubernetes for an actuator. Refuses writes after the step's deadline. */
export const stepKubernetes = (
  kubernetes: Kubernetes,
  throwIfExpired: () => void,
  signal: AbortSignal,
): StepKubernetes => ({
  get: (resource, key, options) => kubernetes.get(resource, key, { signal, ...options }),
  list: (resource, options) => kubernetes.list(resource, { signal, ...options }),
  create: async (resource, object, options) => {
    throwIfExpired()
    return kubernetes.create(resource, object, { signal, ...options })
  },
  patch: async (resource, key, patch, options) => {
    throwIfExpired()
    return kubernetes.patch(resource, key, patch, { signal, ...options })
  },
  apply: async (resource, object, options) => {
    throwIfExpired()
    return kubernetes.apply(resource, object, { signal, ...options })
  },
  delete: async (resource, key, options) => {
    throwIfExpired()
    return kubernetes.delete(resource, key, { signal, ...options })
  },
})
