import { CreateDhcpOptionsCommand, DeleteDhcpOptionsCommand } from '@aws-sdk/client-ec2'
import type { Read, ResourceType } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import {
  foundTags,
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

export interface DhcpOptionsOutcome {
  readonly id: string
}

/**
 * The domain of the instances: the one that Amazon's DNS serves in the region
 * (docs/contract/provider-aws.md#dhcp-options).
 */
export const domainName = (region: string): string =>
  region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`

/** The DHCP options of the shoot's VPCs. */
const dhcpOptionsOfHome =
  (reads: NetworkReads) =>
  async ({ read }: { readonly read: Read<AwsCloud> }): Promise<ReadonlySet<string | undefined>> => {
    const [home, vpcs] = await Promise.all([read(reads.home), read(reads.vpcs)])
    return new Set(vpcs.filter(({ VpcId = '' }) => home.has(VpcId)).map(({ DhcpOptionsId }) => DhcpOptionsId))
  }

/** DHCP options of the managed VPC. What stands in existing ones is not compared: AWS cannot change it. */
export const dhcpOptionsType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  usedByHome = dhcpOptionsOfHome(reads),
): ResourceType<AwsCloud, TagAttributes, DhcpOptionsOutcome> => ({
  what: 'DHCP options',
  list: async ({ read, state }) => {
    const options = (await read(reads.dhcpOptions)).filter(
      ({ DhcpOptionsId, Tags }) => isOwned(desired, Tags) || DhcpOptionsId === state.DHCPOptions,
    )
    const unknown = options.filter(
      ({ DhcpOptionsId, Tags }) =>
        DhcpOptionsId !== state.DHCPOptions &&
        !isMarked(desired, Tags) &&
        !isOthers(desired, Tags) &&
        nameOf(Tags) === desired.clusterName,
    )
    const used = unknown.length === 0 ? new Set() : await usedByHome({ read })
    const likely = unknown.filter(({ DhcpOptionsId }) => used.has(DhcpOptionsId))
    const isOnlyOne = likely.length === 0 && unknown.length === 1 && (await read(reads.identity.nameIsOurs))
    const lost = new Set(isOnlyOne ? unknown : likely)
    return options.map(found => {
      const { DhcpOptionsId: id = '', Tags } = found
      return {
        id,
        key: nameOf(Tags),
        status: 'ready',
        attributes: foundTags(Tags),
        outcome: { id },
        ...(isMarked(desired, Tags) && { mark: id }),
        ...(lost.has(found) && { ours: 'likely' }),
      }
    })
  },
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
  owns: attribute => ownsTag(desired, attribute),
  remembers: key => key === 'DHCPOptions',
})
