import type { Clock } from '../../shared/clock/clock.ts'
import {
  createReflector,
  type Kubernetes,
  type KubernetesObject,
  type Reflector,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'

const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true } as const

/** In the namespace of a shoot. */
const deploymentName = 'machine-controller-manager'

/** Where the machine controller is scaled to zero. */
export interface Pauses {
  /** Whether the Deployment of the namespace wants no pods; where there is none, the sandbox itself is the machine controller. */
  isPaused(namespace: string): boolean
  /** Follows the Deployments; `synced` is called once those are known that are there. */
  reflector(options: {
    readonly kubernetes: Kubernetes
    readonly clock: Clock
    readonly log: Log
    readonly synced: () => void
  }): Reflector
}

export const createPauses = ({ resumed }: { readonly resumed: (namespace: string) => void }): Pauses => {
  const paused = new Set<string>()
  const resume = (namespace = '') => {
    if (paused.delete(namespace)) resumed(namespace)
  }
  return {
    isPaused: namespace => paused.has(namespace),
    reflector: ({ kubernetes, clock, log, synced }) =>
      createReflector({
        kubernetes,
        clock,
        log,
        resource: deployments,
        fieldSelector: `metadata.name=${deploymentName}`,
        handler: {
          upsert: ({ metadata, spec }: KubernetesObject) => {
            const { replicas = 1 } = (spec ?? {}) as { readonly replicas?: number }
            if (replicas === 0) paused.add(metadata.namespace ?? '')
            else resume(metadata.namespace)
          },
          deleted: ({ namespace }) => resume(namespace),
          synced,
        },
      }),
  }
}
