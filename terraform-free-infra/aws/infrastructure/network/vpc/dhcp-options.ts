import { CreateDhcpOptionsCommand, DeleteDhcpOptionsCommand } from '@aws-sdk/client-ec2'
import type { ResourceType } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import {
  foundTags,
  isMarked,
  isOwned,
  nameOf,
  type TagAttributes,
  tagSpecification,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'

export interface DhcpOptionsOutcome {
  readonly id: string
}

/**
 * The domain of the instances: the one that Amazon's DNS serves in the region
 * (docs/contract/provider-aws.md#dhcp-options).
 */
export const domainName = (region: string): string =>
  region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`

/** DHCP options of the managed VPC. What stands in existing ones is not compared: AWS cannot change it. */
export const dhcpOptionsType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, TagAttributes, DhcpOptionsOutcome> => ({
  what: 'DHCP options',
  list: async ({ read, state }) =>
    (await read(reads.dhcpOptions))
      .filter(({ DhcpOptionsId, Tags }) => isOwned(desired, Tags) || DhcpOptionsId === state.DHCPOptions)
      .map(({ DhcpOptionsId: id = '', Tags }) => ({
        id,
        key: nameOf(Tags),
        status: 'ready',
        attributes: foundTags(Tags),
        outcome: { id },
        ...(isMarked(desired, Tags) && { mark: id }),
      })),
  create: async ({ cloud, signal, key, attributes }) => {
    const { DhcpOptions } = await cloud.ec2.send(
      new CreateDhcpOptionsCommand({
        DhcpConfigurations: [
          { Key: 'domain-name', Values: [domainName(desired.region)] },
          { Key: 'domain-name-servers', Values: ['AmazonProvidedDNS'] },
        ],
        TagSpecifications: tagSpecification(desired, 'dhcp-options', attributes),
      }),
      { abortSignal: signal },
    )
    const id = DhcpOptions?.DhcpOptionsId ?? ''
    return { id, key, status: 'ready', attributes, outcome: { id } }
  },
  update: async ({ found, changes, ...call }) => {
    await writeTags(call, found.id, changes)
    return undefined
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteDhcpOptionsCommand({ DhcpOptionsId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  remembers: key => key === 'DHCPOptions',
})
