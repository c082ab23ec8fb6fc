import { type Found, graphOf, type Observation, type ResourceType } from '../engine.ts'

export interface ToyNetwork {
  readonly id: string
  readonly name: string
  readonly cidr: string
  readonly mtu: number
}
export interface ToyCloud {
  networks(signal: AbortSignal): Promise<readonly ToyNetwork[]>
  createNetwork(name: string, cidr: string, token: string, signal: AbortSignal): Promise<ToyNetwork>
  setMtu(id: string, mtu: number, signal: AbortSignal): Promise<void>
  deleteNetwork(id: string, signal: AbortSignal): Promise<void>
}

const networks: Observation<ToyCloud, readonly ToyNetwork[]> = {
  name: 'networks',
  observe: ({ cloud, signal }) => cloud.networks(signal),
}
type Attributes = { readonly cidr: string; readonly mtu: number }
const found = ({ id, name, cidr, mtu }: ToyNetwork): Found<Attributes, { id: string }> => ({
  id,
  key: name,
  status: 'ready',
  attributes: { cidr, mtu },
  // Found only by its name. A missing resource adopts it, but it is not deleted unless the state records it.
  ours: 'likely',
  outcome: { id },
})
const network: ResourceType<ToyCloud, Attributes, { id: string }> = {
  what: 'network',
  replaces: ['cidr'],
  list: async ({ read }) => (await read(networks)).map(found),
  create: async ({ cloud, name, attributes: { cidr }, token, signal }) =>
    found(await cloud.createNetwork(name, cidr, token, signal)),
  update: async ({ cloud, found: { id }, attributes: { mtu }, signal }) => {
    await cloud.setMtu(id, mtu, signal)
    return undefined // as found, with the changes made
  },
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.deleteNetwork(id, signal)
    return 'gone'
  },
}
export const toyGraph = (zones: readonly string[]) => {
  const graph = graphOf<ToyCloud>()
  for (const [index, zone] of zones.entries())
    graph.add(network, zone, { attributes: { cidr: `10.0.${index}.0/24`, mtu: 9000 } })
  graph.sweep(network) // also those of zones that are no longer desired
  return graph.build()
}
