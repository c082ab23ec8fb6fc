import { type Found, graphOf, type ResourceType } from '@trellis-gardener/trellis/infra'
import type { AcmeCloud, Gateway, Network } from './acme-cloud.ts'

type NetworkAttributes = { readonly cidr: string }
const foundNetwork = ({ id, name, cidr }: Network): Found<NetworkAttributes, { id: string }> => ({
  id,
  key: name,
  status: 'ready',
  attributes: { cidr },
  ours: 'proved', // the cloud lists only those of our owner
  outcome: { id },
})
const networkType: ResourceType<AcmeCloud, NetworkAttributes, { id: string }> = {
  what: 'network',
  replaces: ['cidr'],
  list: async ({ read }) =>
    (await read({ name: 'networks', observe: ({ cloud, signal }) => cloud.networks(signal) })).map(
      foundNetwork,
    ),
  create: async ({ cloud, name, attributes: { cidr }, signal }) =>
    foundNetwork(await cloud.createNetwork({ name, cidr }, signal)),
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.remove('networks', id, signal)
    return 'gone'
  },
}

type GatewayAttributes = { readonly network: string }
type GatewayOutcome = { readonly address: string | undefined }
const foundGateway = ({
  id,
  name,
  network,
  status,
  address,
}: Gateway): Found<GatewayAttributes, GatewayOutcome> => ({
  id,
  key: name,
  status,
  attributes: { network },
  ours: 'proved',
  uses: [network],
  outcome: { address },
})
const gatewayType: ResourceType<AcmeCloud, GatewayAttributes, GatewayOutcome> = {
  what: 'gateway',
  replaces: ['network'],
  list: async ({ read }) =>
    (await read({ name: 'gateways', observe: ({ cloud, signal }) => cloud.gateways(signal) })).map(
      foundGateway,
    ),
  create: async ({ cloud, name, attributes: { network }, signal }) =>
    foundGateway(await cloud.createGateway({ name, network }, signal)),
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.remove('gateways', id, signal)
    return 'gone'
  },
}

/** The resources of a shoot, and how they depend on each other. */
export const networkGraph = (name: string, cidr: string) => {
  const graph = graphOf<AcmeCloud>()
  const network = graph.add(networkType, name, { attributes: { cidr } })
  const gateway = graph.add(gatewayType, name, { attributes: { network: network.get(({ id }) => id) } })
  return { graph: graph.build(), network, gateway }
}
