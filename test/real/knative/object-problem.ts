import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

interface Status {
  readonly observedGeneration?: number
  readonly availableReplicas?: number
  readonly updatedReplicas?: number
  readonly replicas?: number
  readonly conditions?: readonly {
    readonly type: string
    readonly status: string
    readonly message?: string
  }[]
}

const withReady = [
  'eventing.knative.dev',
  'serving.knative.dev',
  'messaging.knative.dev',
  'sources.knative.dev',
]

/**
 * Returns the reason why an object is not ready yet. Undefined: it is ready, or its kind has no such status. Absent
 * objects are not ready.
 */
export const objectProblem = (object: KubernetesObject | undefined): string | undefined => {
  if (object === undefined) return 'it does not exist'
  const status = (object.status ?? {}) as Status
  const group = object.apiVersion.split('/')[0] ?? ''
  if (object.kind === 'Deployment') {
    const { replicas = 1 } = object.spec as { readonly replicas?: number }
    const { availableReplicas = 0, updatedReplicas = 0, replicas: all = 0 } = status
    if (status.observedGeneration !== object.metadata.generation) return 'its status is old'
    return availableReplicas === replicas && updatedReplicas === replicas && all === replicas
      ? undefined
      : `${availableReplicas} of ${replicas} replicas are available`
  }
  if (!withReady.includes(group) || object.kind === 'EventType') return undefined
  if (status.observedGeneration !== object.metadata.generation) return 'its status is old'
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' ? undefined : `Ready is ${ready?.status}: ${ready?.message}`
}
