import type { GraphBuilder, Ref, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { InfrastructureWish } from '../wish.ts'
import { type NatGatewayOutcome, ownNatGateways } from './nat-gateway.ts'
import type { NetworkReads } from './reads.ts'

interface Egress {
  /** `1.2.3.4/32`, with commas between them. */
  readonly cidrs: string
}
type EgressAttributes = { readonly cidrs: string }

/** Where the traffic of the nodes comes from: the addresses of the NAT gateways. Only looked at and remembered. */
const egressType = (
  wish: InfrastructureWish,
  reads: NetworkReads,
): ResourceType<AwsCloud, EgressAttributes, Egress, Readonly<Record<string, NatGatewayOutcome>>> => ({
  what: 'egress CIDRs',
  list: async ({ read, state }) => {
    const gateways = ownNatGateways(wish, state, await read(reads.natGateways))
    const open = gateways.filter(({ State }) => State === 'available')
    const addresses = open.flatMap(({ NatGatewayAddresses: [address] = [] }) => address?.PublicIp ?? [])
    const cidrs = egressCidrs(addresses)
    if (cidrs === '') return []
    const known = state.EgressCIDRs
    // In which order they were written down says nothing.
    const id = known !== undefined && inOrder(known) === inOrder(cidrs) ? known : cidrs
    return [{ id, key: '', status: 'ready', attributes: { cidrs: inOrder(cidrs) }, outcome: { cidrs: id } }]
  },
  create: async ({ key, attributes: { cidrs } }) => ({
    id: cidrs,
    key,
    status: 'ready',
    attributes: { cidrs },
    outcome: { cidrs },
  }),
  update: async ({ found, attributes: { cidrs } }) => ({
    ...found,
    id: cidrs,
    attributes: { cidrs },
    outcome: { cidrs },
  }),
  remembers: key => key === 'EgressCIDRs',
})

/** The wish: what the gateways that are needed have. */
const egressAttributes = (gateways: Readonly<Record<string, NatGatewayOutcome>>): EgressAttributes => ({
  cidrs: inOrder(egressCidrs(Object.values(gateways).flatMap(({ publicIp }) => publicIp ?? []))),
})

const egressCidrs = (addresses: readonly string[]): string =>
  addresses.map(address => `${address}/32`).join(',')

const inOrder = (cidrs: string): string => cidrs.split(',').sort().join(',')

export const addEgress = (
  graph: GraphBuilder<AwsCloud>,
  wish: InfrastructureWish,
  reads: NetworkReads,
  gateways: ReadonlyMap<string, Ref<NatGatewayOutcome>>,
): void => {
  graph.add(egressType(wish, reads), '', {
    needs: Object.fromEntries(gateways),
    attributes: egressAttributes,
    state: { id: 'EgressCIDRs' },
  })
}
