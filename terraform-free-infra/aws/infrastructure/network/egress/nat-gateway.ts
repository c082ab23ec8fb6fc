import { CreateNatGatewayCommand, DeleteNatGatewayCommand, type NatGateway } from '@aws-sdk/client-ec2'
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

export interface NatGatewayOutcome {
  readonly id: string
  readonly publicIp: string | undefined
}
type NatGatewayAttributes = TagAttributes & {
  /** Ids. */
  readonly subnet: string
  readonly allocation: string
}

const isNatGatewayKey = (key: string): boolean => isZoneKey(key, 'NATGateway')

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

export const allocationsOf = (gateways: readonly NatGateway[]): readonly string[] =>
  gateways.flatMap(({ NatGatewayAddresses = [] }) =>
    NatGatewayAddresses.flatMap(({ AllocationId }) => AllocationId ?? []),
  )

export const natGatewayType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, NatGatewayAttributes, NatGatewayOutcome> => ({
  what: 'NAT gateway',
  list: async ({ read, state }) => {
    const [gateways, tagsProve] = await Promise.all([read(reads.natGateways), read(reads.tagsProve)])
    const proof = { ...desired, tagsProve }
    const known = natGatewaysInState(state)
    return gateways
      .filter(
        ({ NatGatewayId = '', Tags }) => isOwned(desired, Tags) || isOurs(proof, known, NatGatewayId, Tags),
      )
      .map(gateway => foundGateway(proof, gateway))
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
    return { ...foundGateway({ ...desired, tagsProve: false }, NatGateway ?? {}), key }
  },
  update: async ({ found, changes, ...call }) => {
    await writeTags(call, found.id, changes)
    return undefined
  },
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

const statusOf = ({ State, NatGatewayAddresses = [] }: NatGateway): FoundStatus => {
  switch (State) {
    case 'available':
      // The address may appear a moment later.
      return NatGatewayAddresses.some(({ PublicIp }) => PublicIp !== undefined) ? 'ready' : 'pending'
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
): Found<NatGatewayAttributes, NatGatewayOutcome> => {
  const { NatGatewayId: id = '', SubnetId: subnet, VpcId, FailureCode, FailureMessage } = gateway
  const [address] = gateway.NatGatewayAddresses ?? []
  const allocation = address?.AllocationId
  return {
    id,
    key: nameOf(gateway.Tags),
    status: statusOf(gateway),
    ...(FailureCode !== undefined && { failure: new Error(`${FailureCode}: ${FailureMessage ?? ''}`) }),
    attributes: { subnet, allocation, ...foundTags(gateway.Tags) },
    outcome: { id, publicIp: address?.PublicIp },
    uses: [subnet, allocation, VpcId].filter(used => used !== undefined),
    ...whoseByTags(proof, id, gateway.Tags),
  }
}
