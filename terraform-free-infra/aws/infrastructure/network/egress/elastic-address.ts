import { type Address, AllocateAddressCommand, ReleaseAddressCommand } from '@aws-sdk/client-ec2'
import type { Found, ResourceType } from '../../../../engine/engine.ts'
import { AwsError } from '../../../errors/aws-error.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState, isZoneKey } from '../../state.ts'
import {
  foundTags,
  isCluster,
  isMarked,
  isOwned,
  nameOf,
  type TagAttributes,
  tagSpecification,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import { allocationsOf, ownNatGateways } from './nat-gateway.ts'

export interface AddressOutcome {
  readonly id: string
}

const isAddressKey = (key: string): boolean => isZoneKey(key, 'NATGatewayElasticIP')

/** The addresses that the user gives, in whatever zone: also one that was made here and is pinned now is the user's. */
const givenAddresses = ({ zones }: DesiredInfrastructure): ReadonlySet<string> =>
  new Set(zones.kind === 'managed' ? zones.zones.flatMap(({ elasticIp }) => elasticIp ?? []) : [])

/**
 * The address of a NAT gateway, where the user gives none. One of the state that somebody else's things use is not the one
 * that was recorded.
 */
export const elasticAddressType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  given = givenAddresses(desired),
): ResourceType<AwsCloud, TagAttributes, AddressOutcome> => ({
  what: 'elastic address',
  list: async ({ read, state }) => {
    const known = idsInState(state, isAddressKey)
    const addresses = (await read(reads.addresses)).filter(
      ({ AllocationId = '', Tags }) =>
        !given.has(AllocationId) && (isOwned(desired, Tags) || known.has(AllocationId)),
    )
    const used = new Set(
      // Only one that somebody has taken the tag from can be another's.
      addresses.every(({ Tags }) => isOwned(desired, Tags))
        ? []
        : allocationsOf(ownNatGateways(desired, state, await read(reads.natGateways))),
    )
    return addresses
      .filter(
        ({ AllocationId = '', AssociationId, Tags }) =>
          AssociationId === undefined || isCluster(desired, Tags) || used.has(AllocationId),
      )
      .map(address => foundAddress(desired, address))
  },
  create: async ({ cloud, signal, key, attributes }) => {
    const made = await cloud.ec2.send(
      new AllocateAddressCommand({
        Domain: 'vpc',
        TagSpecifications: tagSpecification(desired, 'elastic-ip', attributes),
      }),
      { abortSignal: signal },
    )
    return { ...foundAddress(desired, made), key, attributes }
  },
  update: async ({ found, changes, ...call }) => {
    await writeTags(call, found.id, changes)
    return undefined
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new ReleaseAddressCommand({ AllocationId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  remembers: isAddressKey,
  // EC2 has been seen to refuse the release of an address of ours once, and to accept it some seconds later
  // (docs/contract/provider-aws.md#repeated-while-in-use).
  retriesRemoval: error => error instanceof AwsError && error.code === 'AuthFailure',
  pollMs: 5_000,
  waitLimitMs: 180_000,
})

const foundAddress = (
  desired: DesiredInfrastructure,
  { AllocationId: id = '', Tags }: Pick<Address, 'AllocationId' | 'Tags'>,
): Found<TagAttributes, AddressOutcome> => ({
  id,
  key: nameOf(Tags),
  status: 'ready',
  attributes: foundTags(Tags),
  outcome: { id },
  ...(isMarked(desired, Tags) && { mark: id }),
})
