import type { ShootSeed } from '../../sandbox/gardenlet/start-shoot-seeds.ts'
import type { SimulatedClouds } from '../../sandbox/seed/seed.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes, type GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'

const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}

/** A seed with a user's eyes: what they look at is no request of a function. */
export const observedSeed = <C extends SimulatedClouds>(
  seed: ShootSeed<C>,
  namespace: string,
  signal: AbortSignal,
) => {
  const { server, bridge } = seed
  const kubernetes = createKubernetes({ transport: server.controllerTransport, clock: seed.clock })
  /** Of the shoot's namespace, or of all. */
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
    /** By the names of Deployments. */
    replicas: async (): Promise<Readonly<Record<string, number>>> =>
      Object.fromEntries(
        (await all(deployments)).map(({ metadata, spec }) => [
          metadata.name,
          (spec as { readonly replicas: number }).replicas,
        ]),
      ),
    /** Of the objects of the shoot: how the last operation of each has ended. */
    states: async (): Promise<Readonly<Record<string, string>>> => {
      const { BackupBucket: _, ...ofShoots } = kinds
      const objects = await Promise.all(
        Object.values(ofShoots).map(({ resource }) =>
          all(resource, resource.namespaced ? { namespace } : {}),
        ),
      )
      return Object.fromEntries(
        objects.flat().map(({ kind, metadata, status }) => {
          const { type, state } = Object(status).lastOperation ?? {}
          return [`${kind} ${withoutHash(metadata.name)}`, `${type} ${state}`]
        }),
      )
    },
    /** What was written by anybody but gardenlet and those who run machines and pods, since the last call. */
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

/** Names of the configs of a pool say what they are made of. */
const withoutHash = (name: string): string => name.replace(/^(gardener-node-agent-.*)-[0-9a-f]{16}-/, '$1-')
