import type { Clock } from '../../shared/clock/clock.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { createKubernetes, type Transport } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import {
  createShoots,
  looseDefinitions,
  type ResourceManager,
  type ShootCluster,
  type Shoots,
  simulateAccessSecrets,
  startResourceManager,
  targetOf,
} from '../resource-manager/resource-manager.ts'
import type { StoredChanges } from './stored-changes.ts'

export interface ResourcesOptions {
  readonly transport: Transport
  readonly changes: StoredChanges
  readonly clock: Clock
  readonly log: Log
  readonly scale: number
  /** Default: the shoots of this seed only, which end with it. */
  readonly shoots?: Shoots
  /** Returns the kubeconfig for functions. Default: that of the shoot. */
  readonly kubeconfigOf?: (shoot: ShootCluster) => Promise<string>
  /** Called once per shoot, as soon as its API server runs. */
  readonly opened?: (namespace: string, shoot: ShootCluster) => void
}

/** The resource manager of a seed, and the API servers of its shoots. */
export interface Resources {
  /**
   * Returns the API server of the shoot in a namespace. From then on the namespace has Secrets with its kubeconfig.
   */
  shoot(namespace: string): Promise<ShootCluster>
  /** Starts the resource manager again, if it runs. */
  restart(): void
  close(): Promise<void>
}

/**
 * Starts the resource manager with the first ManagedResource, and the API server of a shoot with the first
 * ManagedResource for it. A seed without ManagedResources sends no such request.
 */
export const openResources = ({
  transport,
  changes,
  clock,
  log,
  scale,
  ...given
}: ResourcesOptions): Resources => {
  let ended = new AbortController()
  let former: Promise<void> = Promise.resolve()
  let isClosed = false
  const shoots = given.shoots ?? createShoots({ clock })
  const kubernetes = createKubernetes({ transport, clock })
  const opened = new Map<string, Promise<ShootCluster>>()
  let starting: Promise<ResourceManager> | undefined

  const shoot = (namespace: string): Promise<ShootCluster> => {
    const open = async () => {
      const found = await shoots.open(namespace)
      const kubeconfig = (await given.kubeconfigOf?.(found)) ?? found.kubeconfig
      await simulateAccessSecrets(kubernetes, namespace, { kubeconfig })
      given.opened?.(namespace, found)
      return found
    }
    const opening = opened.get(namespace) ?? open()
    opened.set(namespace, opening)
    // A failed start is retried.
    opening.catch(() => opened.delete(namespace))
    return opening
  }

  const start = async (signal: AbortSignal): Promise<ResourceManager> => {
    // Lets the writer of the first object finish.
    await Promise.resolve()
    const crds = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      namespaced: false,
    }
    for (const definition of looseDefinitions('seed')) {
      if ((await kubernetes.get(crds, { name: definition.metadata.name })) === undefined)
        await kubernetes.create(crds, definition)
    }
    const seed = targetOf(transport, clock)
    return startResourceManager({
      kubernetes,
      targetOf: async (resourceClass, namespace) => {
        if (resourceClass === 'seed') return seed
        return resourceClass === ''
          ? targetOf((await shoot(namespace)).server.controllerTransport, clock)
          : undefined
      },
      clock,
      log,
      scale,
      signal,
    })
  }
  const begin = (): void => {
    starting = start(ended.signal)
    starting.catch(error => log.error('cannot start the resource manager', { error }))
  }
  const end = (): Promise<void> => {
    const ending = starting
    ended.abort()
    return Promise.all([former, ending?.then(manager => manager.ended())]).then(() => {})
  }

  const { group, plural } = managedResourceKind.resource
  const unsubscribe = changes((resource, event) => {
    // The Secrets went with the namespace. A shoot that comes back to the seed gets them again.
    if (resource === 'namespaces' && event?.type === 'DELETED') opened.delete(event.key)
    if (resource === 'secrets' && event?.type === 'DELETED')
      void starting?.then(manager => manager.secretDeleted(event.key)).catch(() => {})
    if (resource === `${plural}.${group}` && starting === undefined && !isClosed) begin()
  })
  return {
    shoot,
    restart: () => {
      if (starting === undefined) return
      former = end()
      ended = new AbortController()
      begin()
    },
    close: async () => {
      isClosed = true
      unsubscribe()
      await end()
      if (given.shoots === undefined) await shoots.close()
    },
  }
}
