import { type Address, AllocateAddressCommand, ReleaseAddressCommand } from '@aws-sdk/client-ec2'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import { idsInState, isZoneKey } from '../state-keys.ts'
import { foundTags, isOwned, nameOf, type TagAttributes, tagSpecification, writeTags } from '../tags.ts'
import type { InfrastructureWish } from '../wish.ts'
import type { NetworkReads } from './reads.ts'

export interface AddressOutcome {
  readonly id: string
}

const isAddressKey = (key: string): boolean => isZoneKey(key, 'NATGatewayElasticIP')

/** The address of a NAT gateway, where the user gives none. */
export const elasticAddressType = (
  wish: InfrastructureWish,
  reads: NetworkReads,
): ResourceType<AwsCloud, TagAttributes, AddressOutcome> => ({
  what: 'elastic address',
  list: async ({ read, state }) => {
    const known = idsInState(state, isAddressKey)
    return (await read(reads.addresses))
      .filter(({ AllocationId = '', Tags }) => isOwned(wish, Tags) || known.has(AllocationId))
      .map(foundAddress)
  },
  create: async ({ cloud, signal, key, attributes }) => {
    const made = await cloud.ec2.send(
      new AllocateAddressCommand({
        Domain: 'vpc',
        TagSpecifications: tagSpecification('elastic-ip', attributes),
      }),
      { abortSignal: signal },
    )
    return { ...foundAddress(made), key, attributes }
  },
  update: async ({ found, changes, ...call }) => {
    await writeTags(call, found.id, changes)
    return undefined
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new ReleaseAddressCommand({ AllocationId: id }), { abortSignal: signal })
    return 'gone'
  },
  remembers: isAddressKey,
})

const foundAddress = ({
  AllocationId: id = '',
  Tags,
}: Pick<Address, 'AllocationId' | 'Tags'>): Found<TagAttributes, AddressOutcome> => ({
  id,
  key: nameOf(Tags),
  status: 'ready',
  attributes: foundTags(Tags),
  outcome: { id },
})
