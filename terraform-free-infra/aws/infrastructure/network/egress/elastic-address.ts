import { type Address, AllocateAddressCommand, ReleaseAddressCommand } from '@aws-sdk/client-ec2'
import type { Found, ListContext, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/unanswered.ts'
import { AwsError } from '../../../account/errors/aws-error.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState } from '../../state.ts'
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
import {
  allocationsOf,
  givenAddresses,
  isAddressKey,
  knownAddresses,
  primaryAddress,
} from './nat-addresses.ts'
import { ownNatGateways } from './nat-gateway.ts'

export interface AddressOutcome {
  readonly id: string
}

/** Allocation ids of our NAT gateways. Users may have added the secondary ones. */
interface NatAllocations {
  readonly all: ReadonlySet<string | undefined>
  readonly primary: ReadonlySet<string | undefined>
}

const noAllocations: NatAllocations = { all: new Set(), primary: new Set() }

/** Reads the addresses of our NAT gateways. */
const natAllocations =
  (desired: DesiredInfrastructure, reads: NetworkReads) =>
  async ({ read, state }: Pick<ListContext<AwsCloud>, 'read' | 'state'>): Promise<NatAllocations> => {
    const [gateways, tagsProve] = await Promise.all([read(reads.natGateways), read(reads.tagsProve)])
    const ours = ownNatGateways({ ...desired, tagsProve }, state, gateways)
    const known = knownAddresses(desired, state)
    return {
      all: new Set(allocationsOf(ours)),
      primary: new Set(ours.map(gateway => primaryAddress(gateway, known)?.AllocationId)),
    }
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
    const used = isAsked ? await allocationsOfHome({ read, state }) : noAllocations
    // An address of a foreign gateway is foreign, regardless of its name.
    const free = unknown.filter(({ AssociationId }) => AssociationId === undefined)
    const named = Map.groupBy(free, ({ Tags }) => nameOf(Tags))
    const alone = free.filter(({ Tags }) => named.get(nameOf(Tags))?.length === 1)
    const isLikely = alone.length > 0 && (await read(reads.identity.nameIsOurs))
    const lost = new Set([
      ...unknown.filter(({ AllocationId }) => used.primary.has(AllocationId)),
      ...(isLikely ? alone : []),
    ])
    return addresses
      .filter(
        ({ AllocationId, AssociationId, Tags }) =>
          AssociationId === undefined || isCluster(desired, Tags) || used.all.has(AllocationId),
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
  update: ({ found, changes, ...call }) => writeTags(call, found.id, changes),
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
