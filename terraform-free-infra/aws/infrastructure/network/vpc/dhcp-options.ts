import { CreateDhcpOptionsCommand, DeleteDhcpOptionsCommand } from '@aws-sdk/client-ec2'
import type { Read, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/unanswered.ts'
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
 * Returns the domain of the instances, which Amazon's DNS serves in the region
 * (docs/contract/provider-aws.md#dhcp-options).
 */
export const domainName = (region: string): string =>
  region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`

interface UsedOptions {
  /** Options used by the VPCs of the shoot. */
  readonly ours: ReadonlySet<string | undefined>
  /** Options used by other VPCs with the cluster's tag. */
  readonly others: ReadonlySet<string | undefined>
}

const noneUsed: UsedOptions = { ours: new Set(), others: new Set() }

const optionsInUse =
  (reads: NetworkReads) =>
  async ({ read }: { readonly read: Read<AwsCloud> }): Promise<UsedOptions> => {
    const [home, vpcs] = await Promise.all([read(reads.home), read(reads.vpcs)])
    const usedBy = (isOurs: boolean) =>
      new Set(
        vpcs.flatMap(({ VpcId = '', DhcpOptionsId }) => (home.has(VpcId) === isOurs ? DhcpOptionsId : [])),
      )
    return { ours: usedBy(true), others: usedBy(false) }
  }

/** DHCP options of the managed VPC. The content of existing ones is not compared, because AWS cannot change it. */
export const dhcpOptionsType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  used = optionsInUse(reads),
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
    const { ours, others } = unknown.length === 0 ? noneUsed : await used({ read })
    const likely = unknown.filter(({ DhcpOptionsId }) => ours.has(DhcpOptionsId))
    // The options of a foreign VPC are foreign, regardless of their name.
    const free = unknown.filter(({ DhcpOptionsId }) => !others.has(DhcpOptionsId))
    const isOnlyOne = likely.length === 0 && free.length === 1 && (await read(reads.identity.nameIsOurs))
    const lost = new Set(isOnlyOne ? free : likely)
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
    const answer = await cloud.ec2.send(
      new CreateDhcpOptionsCommand({
        DhcpConfigurations: [
          { Key: 'domain-name', Values: [domainName(desired.region)] },
          { Key: 'domain-name-servers', Values: ['AmazonProvidedDNS'] },
        ],
        TagSpecifications: tagSpecification(desired, 'dhcp-options', attributes),
      }),
      { abortSignal: signal },
    )
    const id = answer.DhcpOptions?.DhcpOptionsId ?? ''
    return { id, key, status: 'ready', attributes, outcome: { id }, repeated: wasRepeated(answer) }
  },
  update: ({ found, changes, ...call }) => writeTags(call, found.id, changes),
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteDhcpOptionsCommand({ DhcpOptionsId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  doubles: true,
  owns: attribute => ownsTag(desired, attribute),
  remembers: key => key === 'DHCPOptions',
})
