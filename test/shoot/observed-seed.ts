import type { ShootSeed } from '../../sandbox/gardenlet/start-shoot-seeds.ts'
import type { SimulatedClouds } from '../../sandbox/seed/seed.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { deployments } from '../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type Kubernetes,
} from '../../shared/kubernetes/kubernetes.ts'

/** Adds a user's reads to a seed. They do not count as requests of a function. */
export const observedSeed = <C extends SimulatedClouds>(
  seed: ShootSeed<C>,
  namespace: string,
  signal: AbortSignal,
) => {
  const { server, bridge } = seed
  const kubernetes = createKubernetes({ transport: server.controllerTransport, clock: seed.clock })
  /** Lists the shoot's namespace, or all. */
  const all = async (resource: GroupVersionResource, scope: object = { namespace }) =>
    (await kubernetes.list(resource, scope)).items
  const shootApi = async () => {
    const shoot = await seed.resources.shoot(namespace)
    return createKubernetes({ transport: shoot.server.controllerTransport, clock: seed.clock })
  }
  return {
    gardenlet: seed.gardenlet(signal),
    bridge,
    kubernetes,
    all,
    shootApi,
    nodes: () => seed.machines.nodes(namespace),
    /** Returns replicas by the names of Deployments. */
    replicas: async (): Promise<Readonly<Record<string, number>>> =>
      Object.fromEntries(
        (await all(deployments)).map(({ metadata, spec }) => [
          metadata.name,
          (spec as { readonly replicas: number }).replicas,
        ]),
      ),
    states: () => statesOf(kubernetes, namespace),
    /**
     * Returns the writes since the last call, except those of gardenlet and of the imitated machine and pod
     * controllers.
     */
    writes: (): readonly string[] => {
      const { requests } = server
      const written = requests
        .entries()
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, resource = '', subresource }) => {
          const [plural = ''] = resource.split('.')
          return `${verb} ${plural}${subresource ? `/${subresource}` : ''}`
        })
        .filter(write => !/ (?:leases|events)$/.test(write))
      requests.clear()
      return written
    },
  }
}

/** Returns the last operation state of each object of the shoot. */
export const statesOf = async (
  kubernetes: Kubernetes,
  namespace: string,
): Promise<Readonly<Record<string, string>>> => {
  const { BackupBucket: _, ...ofShoots } = kinds
  const objects = await Promise.all(
    Object.values(ofShoots).map(({ resource }) =>
      kubernetes.list(resource, resource.namespaced ? { namespace } : {}),
    ),
  )
  return Object.fromEntries(
    objects
      .flatMap(({ items }) => items)
      .map(({ kind, metadata, status }) => {
        const { type, state } = Object(status).lastOperation ?? {}
        return [`${kind} ${withoutHash(metadata.name)}`, `${type} ${state}`]
      }),
  )
}

/** The names of a pool's configs contain a hash of their content. */
const withoutHash = (name: string): string => name.replace(/^(gardener-node-agent-.*)-[0-9a-f]{16}-/, '$1-')
