import type { Clock } from '../../shared/clock/clock.ts'
import { deployments, namespaces } from '../../shared/kubernetes/core-resources.ts'
import {
  createReflector,
  type Kubernetes,
  type KubernetesObject,
  type Reflector,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'

/** In the namespace of a shoot. */
const deploymentName = 'machine-controller-manager'

interface PauseReflectorOptions {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  /** Each reflector calls it once, after its first list. */
  readonly synced: () => void
}

/** Namespaces without a running machine controller: its Deployment has no replicas or was deleted. */
export interface Pauses {
  /**
   * Returns true if the namespace's Deployment has no replicas or was deleted. gardenlet deletes it before it removes
   * machine objects without their machines. Without such a Deployment, the sandbox itself is the machine controller.
   */
  isPaused(namespace: string): boolean
  /** Reflectors of the Deployments and their namespaces. */
  reflectors(options: PauseReflectorOptions): readonly [Reflector, Reflector]
}

/** `list`: reads all machine objects of a namespace, as a starting machine controller does. */
export const createPauses = ({
  list,
  resumed,
}: {
  readonly list: (namespace: string) => Promise<void>
  readonly resumed: (namespace: string) => void
}): Pauses => {
  /** The current pause of each namespace. */
  const paused = new Map<string, symbol>()
  const pause = (namespace = '') => void paused.set(namespace, Symbol(namespace))
  const ending = new Set<string>()
  // The watch of the Deployment may be ahead of those of machine objects: restored Machines would seem missing.
  const resume = async (namespace = '') => {
    const current = paused.get(namespace)
    if (current === undefined) return
    await list(namespace)
    if (paused.get(namespace) !== current) return
    paused.delete(namespace)
    resumed(namespace)
  }
  return {
    isPaused: namespace => paused.has(namespace),
    reflectors: options => [
      createReflector({
        ...options,
        resource: deployments,
        fieldSelector: `metadata.name=${deploymentName}`,
        handler: {
          upsert: ({ metadata, spec }: KubernetesObject) => {
            const { replicas = 1 } = (spec ?? {}) as { readonly replicas?: number }
            if (replicas === 0) pause(metadata.namespace)
            else void resume(metadata.namespace)
          },
          // If the whole namespace is being deleted, only the sandbox can remove the machines.
          deleted: ({ namespace = '' }) =>
            void (ending.has(namespace) ? resume(namespace) : pause(namespace)),
          synced: options.synced,
        },
      }),
      createReflector({
        ...options,
        resource: namespaces,
        handler: {
          upsert: ({ metadata: { name, deletionTimestamp } }: KubernetesObject) => {
            if (deletionTimestamp === undefined) return
            ending.add(name)
            void resume(name)
          },
          deleted: ({ name }) => {
            ending.delete(name)
            void resume(name)
          },
          synced: options.synced,
        },
      }),
    ],
  }
}
