import type { NatGateway } from '@aws-sdk/client-ec2'
import type { GraphBuilder, Ref, ResourceType, State } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import type { Purpose } from '../../purpose.ts'
import { clusterTag, isMarked, nameOf, readTags } from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import { type NatGatewayOutcome, nameOfGateway, natGatewaysInState, ownNatGateways } from './nat-gateway.ts'

interface Egress {
  /** `1.2.3.4/32`, with commas between them; empty for none. */
  readonly cidrs: string
  /** Those of them that are not of our gateways. */
  readonly others: readonly string[]
}
/** Of our gateways alone, in the order of their names. */
type EgressAttributes = { readonly cidrs: string }

/**
 * Where the traffic of the nodes comes from: the addresses of the NAT gateways that are ours, and of those that the
 * user has marked with the cluster's tag, whatever its value (docs/contract/provider-aws.md#networking-and-egress).
 * Only looked at and remembered.
 */
const egressType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  { destroying }: Purpose,
): ResourceType<AwsCloud, EgressAttributes, Egress, Readonly<Record<string, NatGatewayOutcome>>> => ({
  what: 'egress CIDRs',
  list: async ({ read, state }) => {
    const own = desired.zones.kind === 'own'
    if (own && destroying) return []
    const [gateways, tagsProve] = await Promise.all([read(reads.natGateways), read(reads.tagsProve)])
    const open = gateways.filter(({ State }) => State === 'available')
    const ours = own
      ? []
      : ownNatGateways({ ...desired, tagsProve }, state, open).filter(isDesired(desired, state))
    const others = cidrsOf(
      open.filter(
        gateway => !ours.includes(gateway) && readTags(gateway.Tags)[clusterTag(desired)] !== undefined,
      ),
    )
    const found = egressOf(cidrsOf(ours), others)
    if (found.outcome.cidrs === '' && !own) return []
    const known = state.EgressCIDRs
    // In which order they were written down says nothing.
    const cidrs = known !== undefined && inOrder(known) === inOrder(found.outcome.cidrs) ? known : undefined
    return [cidrs === undefined ? found : { ...found, outcome: { cidrs, others } }]
  },
  create: async ({ attributes: { cidrs } }) => egressOf(cidrs.split(','), []),
  update: async ({ found, attributes: { cidrs } }) => egressOf(cidrs.split(','), found.outcome.others),
  remembers: key => key === 'EgressCIDRs',
})

/** Of those that only look like ours the desired ones, which are adopted: the others are told as the user's are. */
const isDesired = (desired: DesiredInfrastructure, state: State) => {
  const known = natGatewaysInState(state)
  const names = new Set(
    desired.zones.kind === 'managed'
      ? desired.zones.zones.map(({ suffix }) => nameOfGateway(desired, suffix))
      : [],
  )
  return ({ NatGatewayId = '', Tags }: NatGateway): boolean =>
    known.has(NatGatewayId) || isMarked(desired, Tags) || names.has(nameOf(Tags))
}

const egressOf = (ours: readonly string[], others: readonly string[]) => ({
  id: 'egress',
  key: '',
  status: 'ready' as const,
  ours: 'proved' as const,
  attributes: { cidrs: inOrder(ours.join(',')) },
  outcome: { cidrs: [...ours, ...others].join(','), others },
})

const cidrsOf = (gateways: readonly NatGateway[]): readonly string[] =>
  gateways.flatMap(({ NatGatewayAddresses: [address] = [] }) => cidrOf(address?.PublicIp))

const cidrOf = (address: string | undefined): readonly string[] =>
  address === undefined ? [] : [`${address}/32`]

const inOrder = (cidrs: string): string => cidrs.split(',').sort().join(',')

/** `gateways`: ours, by zone; none where the subnets are the user's. */
export const addEgress = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  gateways: ReadonlyMap<string, Ref<NatGatewayOutcome>>,
  purpose: Purpose,
): void => {
  graph.add(egressType(desired, reads, purpose), '', {
    needs: Object.fromEntries(gateways),
    attributes: needed => ({
      cidrs: inOrder(
        Object.values(needed)
          .flatMap(({ publicIp }) => cidrOf(publicIp))
          .join(','),
      ),
    }),
    state: { id: () => undefined, values: { EgressCIDRs: ({ cidrs }) => cidrs || undefined } },
  })
}
