import { type Address, AllocateAddressCommand, ReleaseAddressCommand } from '@aws-sdk/client-ec2'
import type { Found, ListContext, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/was-repeated.ts'
import { AwsError } from '../../../account/errors/aws-error.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState, isZoneKey } from '../../state.ts'
import {
  foundTags,
  isCluster,
  isMarked,
  isOthers,
  isOwned,
  nameOf,
  ownsTag,
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

/**
 * Returns the addresses that the user provides, in any zone. An address that was created here and is now set in the
 * config belongs to the user.
 */
const givenAddresses = ({ zones }: DesiredInfrastructure): ReadonlySet<string> =>
  new Set(zones.kind === 'managed' ? zones.zones.flatMap(({ elasticIp }) => elasticIp ?? []) : [])

/** Reads the addresses of our NAT gateways. */
const natAllocations =
  (desired: DesiredInfrastructure, reads: NetworkReads) =>
  async ({ read, state }: Pick<ListContext<AwsCloud>, 'read' | 'state'>): Promise<readonly string[]> => {
    const [gateways, tagsProve] = await Promise.all([read(reads.natGateways), read(reads.tagsProve)])
    return allocationsOf(ownNatGateways({ ...desired, tagsProve }, state, gateways))
  }

/**
 * The address of a NAT gateway, if the user provides none. An address in the state that others use is not the recorded
 * one.
 */
export const elasticAddressType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  given = givenAddresses(desired),
  allocationsOfHome = natAllocations(desired, reads),
): ResourceType<AwsCloud, TagAttributes, AddressOutcome> => ({
  what: 'elastic address',
  list: async ({ read, state }) => {
    const known = idsInState(state, isAddressKey)
    const addresses = (await read(reads.addresses)).filter(
      ({ AllocationId = '', Tags }) =>
        !given.has(AllocationId) && (isOwned(desired, Tags) || known.has(AllocationId)),
    )
    const unknown = addresses.filter(
      ({ AllocationId = '', Tags }) =>
        !known.has(AllocationId) && !isMarked(desired, Tags) && !isOthers(desired, Tags),
    )
    // Only an address without its tag may belong to another owner, and only an unrecorded one may be lost.
    const isAsked = unknown.length > 0 || addresses.some(({ Tags }) => !isOwned(desired, Tags))
    const used = new Set(isAsked ? await allocationsOfHome({ read, state }) : [])
    // An address of a foreign gateway is foreign, regardless of its name.
    const free = unknown.filter(({ AssociationId }) => AssociationId === undefined)
    const named = Map.groupBy(free, ({ Tags }) => nameOf(Tags))
    const alone = free.filter(({ Tags }) => named.get(nameOf(Tags))?.length === 1)
    const isLikely = alone.length > 0 && (await read(reads.identity.nameIsOurs))
    const lost = new Set([
      ...unknown.filter(({ AllocationId = '' }) => used.has(AllocationId)),
      ...(isLikely ? alone : []),
    ])
    return addresses
      .filter(
        ({ AllocationId = '', AssociationId, Tags }) =>
          AssociationId === undefined || isCluster(desired, Tags) || used.has(AllocationId),
      )
      .map(address => ({
        ...foundAddress(desired, address),
        ...(lost.has(address) && { ours: 'likely' as const }),
      }))
  },
  create: async ({ cloud, signal, key, attributes }) => {
    const made = await cloud.ec2.send(
      new AllocateAddressCommand({
        Domain: 'vpc',
        TagSpecifications: tagSpecification(desired, 'elastic-ip', attributes),
      }),
      { abortSignal: signal },
    )
    return { ...foundAddress(desired, made), key, attributes, repeated: wasRepeated(made) }
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
  doubles: true,
  owns: attribute => ownsTag(desired, attribute),
  remembers: isAddressKey,
  // EC2 was observed to refuse the release of our address once and to accept it some seconds later
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
