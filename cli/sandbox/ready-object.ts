import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

const conditions = (...types: readonly string[]) => ({
  conditions: types.map(type => ({ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' })),
})

/** Returns the status of an object after its controllers have finished; undefined if they write none. */
const statusOf = ({ apiVersion, kind, spec }: KubernetesObject): object | undefined => {
  switch (`${apiVersion} ${kind}`) {
    case 'eventing.knative.dev/v1 Broker':
    case 'eventing.knative.dev/v1 Trigger':
    case 'sources.knative.dev/v1 SinkBinding':
      return conditions('Ready')
    case 'serving.knative.dev/v1 Service':
      return conditions('ConfigurationsReady', 'Ready', 'RoutesReady')
    case 'apps/v1 Deployment': {
      const { replicas = 1 } = (spec ?? {}) as { readonly replicas?: number }
      return {
        ...conditions('Available'),
        replicas,
        updatedReplicas: replicas,
        availableReplicas: replicas,
        readyReplicas: replicas,
      }
    }
    default:
      return undefined
  }
}

/** Returns an object of an installation in its healthy state. */
export const readyObject = (object: KubernetesObject): KubernetesObject => {
  const status = statusOf(object)
  return status === undefined ? object : { ...object, status }
}
