import type { Subnet } from '@aws-sdk/client-ec2'
import {
  CreateMountTargetCommand,
  DeleteMountTargetCommand,
  type IpAddressType,
  ModifyMountTargetSecurityGroupsCommand,
  type MountTargetDescription,
} from '@aws-sdk/client-efs'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import { ownSubnets } from '../network/subnets/subnet.ts'
import { idsInState } from '../state.ts'
import { isCluster } from '../tags.ts'
import { type EfsReads, groupInState, isTargetKey } from './efs-reads.ts'
import { statusOf } from './file-system.ts'

export type TargetAttributes = {
  readonly fileSystem: string
  readonly subnet: string
  readonly group: string
}
export interface TargetOutcome {
  readonly fileSystem: string
  readonly subnet: string
  /** Undefined if the mount target is not ours and not in the state. */
  readonly group: string | undefined
}

/**
 * The mount target through which the nodes of a zone use the file system. A file system has at most one per zone, so
 * the zone is the key. Ours are those in the state and those in our subnets; mount targets carry no tags.
 */
export const mountTargetType = (
  desired: DesiredInfrastructure,
  efs: EfsReads,
  network: Pick<NetworkReads, 'subnets' | 'tagsProve'>,
): ResourceType<AwsCloud, TargetAttributes, TargetOutcome> => ({
  what: 'mount target',
  list: async ({ read, state }) => {
    const targets = await read(efs.mountTargets)
    if (targets.length === 0) return []
    const [subnets, made] = await Promise.all([read(network.subnets), read(efs.made)])
    const tagged = subnets.filter(({ Tags }) => isCluster(desired, Tags))
    const idsOf = (some: readonly Subnet[]) => new Set(some.map(({ SubnetId }) => SubnetId))
    // A file system of the user may also serve a shoot of another landscape, whose subnets have exactly the same tags.
    const isShared = targets.some(({ FileSystemId }) => FileSystemId !== made?.FileSystemId)
    const proved = isShared
      ? idsOf(ownSubnets({ ...desired, tagsProve: await read(network.tagsProve) }, state, tagged))
      : new Set()
    const inMade = idsOf(tagged)
    const isInOurs = ({ FileSystemId, SubnetId }: MountTargetDescription): boolean =>
      (FileSystemId === made?.FileSystemId ? inMade : proved).has(SubnetId)
    const known = idsInState(state, isTargetKey)
    const desiredValue = desired.fileSystem?.id ?? made?.FileSystemId
    return targets.map(target => {
      const foreign = !known.has(target.MountTargetId ?? '') && !isInOurs(target)
      const zone = target.AvailabilityZoneName ?? ''
      return foundTarget(target, {
        foreign,
        key: target.FileSystemId === desiredValue ? zone : `${target.FileSystemId} ${zone}`,
        isDesired: target.FileSystemId === desiredValue && desired.fileSystem !== undefined,
        group: foreign ? undefined : groupInState(state, target.MountTargetId ?? ''),
      })
    })
  },
  create: async ({ cloud, key, attributes: { fileSystem, subnet, group }, signal }) => {
    const target = await cloud.efs.send(
      new CreateMountTargetCommand({
        FileSystemId: fileSystem,
        SubnetId: subnet,
        SecurityGroups: [group],
        IpAddressType: addressType(desired.ipFamilies),
      }),
      { abortSignal: signal },
    )
    return foundTarget(target, { foreign: false, key, group, isDesired: true })
  },
  update: async ({ cloud, found, attributes: { group }, signal }) => {
    await cloud.efs.send(
      new ModifyMountTargetSecurityGroupsCommand({ MountTargetId: found.id, SecurityGroups: [group] }),
      { abortSignal: signal },
    )
    return { ...found, attributes: { ...found.attributes, group }, outcome: { ...found.outcome, group } }
  },
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.efs.send(new DeleteMountTargetCommand({ MountTargetId: id }), { abortSignal: signal })
    return 'going'
  },
  replaces: ['fileSystem', 'subnet'],
  remembers: isTargetKey,
  // A mount target takes about 80 s to create and 20 s to delete.
  firstPollMs: 60_000,
  firstGonePollMs: 20_000,
  pollMs: 15_000,
})

/** Only for a new mount target: an existing one retains its address type when the shoot changes its IP family. */
const addressType = (families: DesiredInfrastructure['ipFamilies']): IpAddressType =>
  families.length > 1 ? 'DUAL_STACK' : families[0] === 'IPv6' ? 'IPV6_ONLY' : 'IPV4_ONLY'

const foundTarget = (
  target: MountTargetDescription,
  {
    foreign,
    key,
    group,
    isDesired,
  }: {
    readonly foreign: boolean
    readonly key: string
    readonly group: string | undefined
    /** True if its file system is the one that the nodes use. */
    readonly isDesired: boolean
  },
): Found<TargetAttributes, TargetOutcome> => {
  const { MountTargetId: id = '', FileSystemId: fileSystem = '', SubnetId: subnet = '' } = target
  return {
    id,
    key,
    status: statusOf(target.LifeCycleState),
    attributes: { fileSystem, subnet, group },
    outcome: { fileSystem, subnet, group },
    uses: [fileSystem, subnet, ...(group === undefined ? [] : [group])],
    ...(foreign ? { foreign } : { ours: 'proved' }),
    ...(!isDesired && { retain: 'its file system may hold data' }),
  }
}
