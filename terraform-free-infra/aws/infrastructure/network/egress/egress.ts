import type { NatGateway } from '@aws-sdk/client-ec2'
import type { GraphBuilder, Ref, ResourceType, State } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { zoneKey } from '../../state.ts'
import type { Purpose } from '../../tags.ts'
import { clusterTag, isMarked, readTags } from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import { knownAddresses, publicIpsOf } from './nat-addresses.ts'
import { type NatGatewayOutcome, natGatewaysInState } from './nat-gateway.ts'

interface Egress {
  /** `1.2.3.4/32`, separated by commas. Empty if there are none. */
  readonly cidrs: string
  /** The recorded form. It is retained if only the order differs, because the order has no meaning. */
  readonly recorded: string | undefined
}
/**
 * `own 1.2.3.4/32` for each address of our gateways, `other 1.2.3.4/32` for each of the user's. Only the former are
 * desired. The plan of the gateways decides once which of several gateways with a zone's name is ours.
 */
type EgressAttributes = { readonly [Key in `${'own' | 'other'} ${string}`]: true }

/**
 * The source addresses of the nodes' traffic: those of our NAT gateways, and of the user's NAT gateways with the
 * cluster's tag (any value) (docs/contract/provider-aws.md#networking-and-egress). They are only read and recorded.
 */
const egressType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  { destroying }: Purpose,
): ResourceType<AwsCloud, EgressAttributes, Egress, Readonly<Record<string, NatGatewayOutcome>>> => ({
  what: 'egress CIDRs',
  list: async ({ read, state }) => {
    const { zones } = desired
    const own = zones.kind === 'own'
    if (own && destroying) return []
    const known = natGatewaysInState(state)
    const addresses = knownAddresses(desired, state)
    const foundAmong = (gateways: readonly NatGateway[]) => {
      const open = gateways.filter(({ State }) => State === 'available')
      const ours = open.filter(
        ({ NatGatewayId = '', Tags }) => !own && (known.has(NatGatewayId) || isMarked(desired, Tags)),
      )
      const others = open.filter(
        gateway => !ours.includes(gateway) && readTags(gateway.Tags)[clusterTag(desired)] !== undefined,
      )
      const cidrsOf = (some: readonly NatGateway[]) =>
        some.flatMap(gateway => publicIpsOf(gateway, addresses)).map(cidrOf)
      return egressOf(cidrsOf(ours), cidrsOf(others), state.EgressCIDRs)
    }
    const listed = await read(reads.natGateways)
    const once = foundAmong(listed)
    const found =
      destroying || !(lacksRecorded(once.outcome) || hasNewZone(zones, state))
        ? once
        : foundAmong(eachOnce([...listed, ...(await read(reads.natGatewaysAgain))]))
    return found.outcome.cidrs === '' && !own ? [] : [found]
  },
  create: async ({ attributes }) => egressOf(among(attributes, 'own'), []),
  update: async ({ found, attributes }) =>
    egressOf(among(attributes, 'own'), among(found.attributes, 'other'), found.outcome.recorded),
  owns: attribute => attribute.startsWith('own '),
  remembers: key => key === 'EgressCIDRs',
})

/** `others`: an address that is also in `ours` counts once. */
const egressOf = (ours: readonly string[], others: readonly string[], recorded?: string) => {
  const rest = others.filter(cidr => !ours.includes(cidr))
  // AWS documents no order of gateways and addresses.
  const cidrs = [...ours.toSorted(), ...rest.toSorted()].join(',')
  return {
    id: 'egress',
    key: '',
    status: 'ready' as const,
    ours: 'proved' as const,
    attributes: { ...attributesOf(ours, 'own'), ...attributesOf(rest, 'other') },
    outcome: {
      cidrs: recorded !== undefined && inOrder(recorded) === inOrder(cidrs) ? recorded : cidrs,
      recorded,
    },
  }
}

/** A list that changes while its pages are read may lack a gateway of the user, whose address others may allow. */
const lacksRecorded = ({ cidrs, recorded = '' }: Egress): boolean => {
  const present = new Set(cidrs.split(','))
  return recorded.split(',').some(cidr => cidr !== '' && !present.has(cidr))
}

/** Nothing records the gateways of own subnets that are new. */
const hasNewZone = (zones: DesiredInfrastructure['zones'], state: State): boolean =>
  zones.kind === 'own' && zones.zones.some(({ name }) => state[zoneKey(name, 'SubnetWorkers')] === undefined)

/** Returns each gateway in its last form. */
const eachOnce = (gateways: readonly NatGateway[]): readonly NatGateway[] => [
  ...new Map(gateways.map(gateway => [gateway.NatGatewayId, gateway])).values(),
]

const attributesOf = (cidrs: readonly string[], whose: 'own' | 'other'): EgressAttributes =>
  Object.fromEntries(cidrs.map(cidr => [`${whose} ${cidr}`, true]))

const among = (attributes: Partial<EgressAttributes>, whose: 'own' | 'other'): readonly string[] =>
  Object.keys(attributes)
    .filter(attribute => attribute.startsWith(`${whose} `))
    .map(attribute => attribute.slice(whose.length + 1))

const cidrOf = (address: string): string => `${address}/32`

const inOrder = (cidrs: string): string => cidrs.split(',').sort().join(',')

/** `gateways`: ours, by zone. Empty if the subnets are the user's. */
export const addEgress = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  gateways: ReadonlyMap<string, Ref<NatGatewayOutcome>>,
  purpose: Purpose,
): void => {
  graph.add(egressType(desired, reads, purpose), '', {
    needs: Object.fromEntries(gateways),
    attributes: needed =>
      attributesOf(
        Object.values(needed).flatMap(({ publicIps }) => publicIps.map(cidrOf)),
        'own',
      ),
    state: { id: () => undefined, values: { EgressCIDRs: ({ cidrs }) => cidrs || undefined } },
  })
}
