import { systemClock } from '../../../shared/clock/clock.ts'
import { services } from '../../../shared/kubernetes/core-resources.ts'
import {
  createReflector,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'

interface Member {
  readonly kubernetes: Kubernetes
  readonly signal: AbortSignal
}

/** Writes a status as soon as an object differs from it. */
interface StandIn {
  readonly resource: GroupVersionResource
  /** Undefined: the object needs none. */
  statusOf(object: KubernetesObject): object | undefined
}

/** The cloud of the seed. */
const loadBalancers: StandIn = {
  resource: services,
  statusOf: ({ spec, status }) =>
    Object(spec).type === 'LoadBalancer' && Object(status).loadBalancer?.ingress === undefined
      ? { loadBalancer: { ingress: [{ ip: '192.0.2.10' }] } }
      : undefined,
}

/** The operator of Prometheus, whose pods have no process here. */
const monitoring = (plural: 'prometheuses' | 'alertmanagers'): StandIn => ({
  resource: { group: 'monitoring.coreos.com', version: 'v1', plural, namespaced: true },
  statusOf: ({ metadata: { generation }, spec, status }) => {
    const conditions: readonly { readonly observedGeneration?: number }[] = Object(status).conditions ?? []
    if (conditions.length > 0 && conditions.every(one => one.observedGeneration === generation))
      return undefined
    const { replicas = 1 } = Object(spec)
    const lastTransitionTime = new Date(systemClock.now()).toISOString()
    return {
      ...{ replicas, availableReplicas: replicas, updatedReplicas: replicas },
      ...{ unavailableReplicas: 0, paused: false },
      conditions: ['Available', 'Reconciled'].map(type => ({
        ...{ type, status: 'True', lastTransitionTime, observedGeneration: generation },
      })),
    }
  },
})

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Plays the cloud and the operators of a seed, until the signal aborts. */
export const startStandIns = ({ kubernetes, signal }: Member): void => {
  for (const { resource, statusOf } of [
    loadBalancers,
    monitoring('prometheuses'),
    monitoring('alertmanagers'),
  ]) {
    const reflector = createReflector({
      ...{ kubernetes, resource, log: silent, clock: systemClock },
      handler: {
        upsert: object => {
          const status = statusOf(object)
          if (status === undefined) return
          kubernetes
            .patch(resource, object.metadata, { status }, { subresource: 'status' })
            // The next event of the object repeats it.
            .catch(() => {})
        },
        deleted: () => {},
      },
    })
    void reflector.run(signal)
  }
}
