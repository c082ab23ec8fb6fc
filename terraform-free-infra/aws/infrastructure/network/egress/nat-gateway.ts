import {
  CreateNatGatewayCommand,
  DeleteNatGatewayCommand,
  type NatGateway,
  type NatGatewayAddress,
} from '@aws-sdk/client-ec2'
import type { Found, FoundStatus, ResourceType, State } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState, isZoneKey } from '../../state.ts'
import {
  foundTags,
  isOurs,
  isOwned,
  nameOf,
  ownsTag,
  type TagAttributes,
  type TagProof,
  tagSpecification,
  whoseByTags,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import { knownAddresses, primaryAddress, publicIpsOf } from './nat-addresses.ts'

export interface NatGatewayOutcome {
  readonly id: string
  /** All public addresses, the primary one first. */
  readonly publicIps: readonly string[]
}
type NatGatewayAttributes = TagAttributes & {
  /** Ids. */
  readonly subnet: string
  readonly allocation: string
}

const what = 'NAT gateway'

const isNatGatewayKey = (key: string): boolean => isZoneKey(key, 'NATGateway')

/** Returns true for a key of the engine's memory that is about a NAT gateway. */
export const isNatGatewayChange = (memoryKey: string): boolean =>
  /^\w+\/Zones\/[^/]+\/NATGateway(?: |$)/.test(memoryKey) || memoryKey.startsWith(`Deleted/${what}/`)

/** Returns its name, which contains the suffix of its zone. */
export const nameOfGateway = (
  { clusterName }: Pick<DesiredInfrastructure, 'clusterName'>,
  suffix: string,
): string => `${clusterName}-natgw-${suffix}`

export const natGatewaysInState = (state: State): ReadonlySet<string> => idsInState(state, isNatGatewayKey)

export const ownNatGateways = (
  proof: TagProof,
  state: State,
  gateways: readonly NatGateway[],
): readonly NatGateway[] => {
  const known = natGatewaysInState(state)
  return gateways.filter(({ NatGatewayId = '', Tags }) => isOurs(proof, known, NatGatewayId, Tags))
}

export const natGatewayType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, NatGatewayAttributes, NatGatewayOutcome> => ({
  what,
  list: async ({ read, state }) => {
    const [gateways, tagsProve] = await Promise.all([read(reads.natGateways), read(reads.tagsProve)])
    const proof = { ...desired, tagsProve }
    const known = natGatewaysInState(state)
    const addresses = knownAddresses(desired, state)
    return gateways
      .filter(
        ({ NatGatewayId = '', Tags }) => isOwned(desired, Tags) || isOurs(proof, known, NatGatewayId, Tags),
      )
      .map(gateway => foundGateway(proof, gateway, addresses))
  },
  create: async ({ cloud, signal, key, attributes, token }) => {
    const { NatGateway } = await cloud.ec2.send(
      new CreateNatGatewayCommand({
        SubnetId: attributes.subnet,
        AllocationId: attributes.allocation,
        ClientToken: token,
        TagSpecifications: tagSpecification(desired, 'natgateway', attributes),
      }),
      { abortSignal: signal },
    )
    const addresses = new Set([attributes.allocation])
    return { ...foundGateway({ ...desired, tagsProve: false }, NatGateway ?? {}, addresses), key }
  },
  update: ({ found, changes, ...call }) => writeTags(call, found.id, changes),
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: id }), { abortSignal: signal })
    return 'going'
  },
  replaces: ['subnet', 'allocation'],
  marks: true,
  owns: attribute => ownsTag(desired, attribute),
  remembers: isNatGatewayKey,
  usesToken: true,
  // Creation takes about 100 s, deletion 50 s. A step waits for neither.
  firstPollMs: 95_000,
  firstGonePollMs: 50_000,
  pollMs: 5_000,
})

const statusOf = ({ State }: NatGateway, primary: NatGatewayAddress | undefined): FoundStatus => {
  switch (State) {
    case 'available':
      // The address may appear a moment later.
      return primary?.PublicIp === undefined ? 'pending' : 'ready'
    case 'failed':
    case 'deleting':
      return State
    // EC2 lists a deleted gateway for about an hour.
    case 'deleted':
      return 'gone'
    default:
      return 'pending'
  }
}

const foundGateway = (
  proof: TagProof,
  gateway: NatGateway,
  addresses: ReadonlySet<string>,
): Found<NatGatewayAttributes, NatGatewayOutcome> => {
  const { NatGatewayId: id = '', SubnetId: subnet, VpcId, FailureCode, FailureMessage } = gateway
  const primary = primaryAddress(gateway, addresses)
  const allocation = primary?.AllocationId
  return {
    id,
    key: nameOf(gateway.Tags),
    status: statusOf(gateway, primary),
    ...(FailureCode !== undefined && { failure: new Error(`${FailureCode}: ${FailureMessage ?? ''}`) }),
    attributes: { subnet, allocation, ...foundTags(gateway.Tags) },
    outcome: { id, publicIps: publicIpsOf(gateway, addresses) },
    uses: [subnet, allocation, VpcId].filter(used => used !== undefined),
    ...whoseByTags(proof, id, gateway.Tags),
  }
}
