import { markTag, objectTag } from '../../../../terraform-free-infra/aws/account/tags/mark-tag.ts'
import { type DesiredBastion, groupDescription } from './desired.ts'
import type { BastionEc2, ObservedGroup, ObservedInstance, PublicSubnet } from './ec2.ts'
import type { BastionState, RecordedInstance } from './state.ts'

export interface ObservedBastion {
  /** The subnet in the shoot's VPC. Undefined: there is none, or several VPCs have one. */
  readonly subnet: PublicSubnet | undefined
  /** VPCs with a subnet of that name. */
  readonly vpcIds: readonly string[]
  readonly workerGroup: ObservedGroup | undefined
  /** Our group in the shoot's VPC. */
  readonly group: ObservedGroup | undefined
  /** A group in the shoot's VPC with the name of ours, which is not proved to be ours. */
  readonly namesake: Judged<ObservedGroup> | undefined
  /** All our groups, in any VPC. */
  readonly groups: readonly ObservedGroup[]
  /** Groups of nodes, in any VPC. */
  readonly workerGroups: readonly ObservedGroup[]
  /** Our instances that are not terminated or shutting down. The first is used: the recorded one, or a running one. */
  readonly instances: readonly ObservedInstance[]
  /** The recorded instance, in any state. */
  readonly recorded: ObservedInstance | undefined
  /** Running instances of a predecessor. They admit the users in its user data. */
  readonly outdated: readonly ObservedInstance[]
  /** Instances that are shutting down, ours or not. They no longer report their groups. */
  readonly leaving: readonly ObservedInstance[]
  /** Number of instances with the mark that are shutting down or terminated, and still listed. */
  readonly ended: number
  readonly left: readonly Namesake[]
  /** True if nothing has a name of the bastion or of its shoot. */
  readonly isEmpty: boolean
}

/** A resource with our name that is not proved to be ours. It is neither used nor deleted. */
export interface Namesake {
  readonly what: 'instance' | 'security group'
  readonly id: string
  readonly vpcId?: string
  readonly why: string
}

/** The facts that other objects report about the shoot's network. */
export interface KnownNetwork {
  /** The shoot's VPC. Undefined: the VPC of the subnet, if there is only one. */
  readonly vpcId: string | undefined
  /** Ids of the shoot's subnets. */
  readonly subnetIds: readonly string[]
}

/**
 * Reads everything in three concurrent calls. Then reads known resources on their own that these calls do not list: EC2
 * may not show a name yet, a user has changed it, or the list changed while its pages were read.
 */
export const observe = async (
  ec2: BastionEc2,
  desired: DesiredBastion,
  { vpcId, subnetIds }: KnownNetwork,
  state: BastionState,
): Promise<ObservedBastion> => {
  const { names } = desired
  const [subnets, namedGroups, namedInstances] = await Promise.all([
    ec2.subnetsNamed(names.subnet),
    ec2.groupsNamed([names.workerGroup, names.group]),
    ec2.instancesNamed(names.instance),
  ])
  const isRecorded = (instance: ObservedInstance) => isOf(state.instance, instance)
  const hasWorkers = namedGroups.some(({ name }) => name === names.workerGroup)
  const [unlistedWorkers, unlistedGroup, unlistedInstance] = await Promise.all([
    hasWorkers ? [] : ec2.groupsNamed([names.workerGroup]),
    readUnlistedGroup(ec2, state, namedGroups),
    namedInstances.some(isRecorded) ? [] : readUnlistedInstance(ec2, state),
  ])
  const named = [...namedGroups, ...unlistedWorkers, ...unlistedGroup]
  const instances = [...namedInstances, ...unlistedInstance]
  const vpcIds = [...new Set(subnets.map(subnet => subnet.vpcId))].sort()
  const shootVpc = vpcId ?? (vpcIds.length === 1 ? vpcIds[0] : undefined)
  const inShootVpc = <T extends { readonly vpcId: string }>(items: readonly T[]): T | undefined =>
    items.find(item => item.vpcId === shootVpc)
  const workerGroups = named.filter(({ name }) => name === names.workerGroup)
  const workerGroup = inShootVpc(workerGroups)
  const judgedGroups = named
    .filter(({ name }) => name === names.group)
    .map(group => ({
      item: group,
      vpcId: group.vpcId,
      why: group.id === state.group?.id ? undefined : whyNotOurGroup(desired, group, shootVpc, workerGroup),
    }))
  const groups = oursAmong(judgedGroups)
  const alive = instances.filter(instance => !isEnded(instance))
  const judged = alive.map(instance => ({
    item: instance,
    why: isRecorded(instance) ? undefined : whyNotOurInstance(desired, instance, groups),
  }))
  const ours = oursAmong(judged)
  return {
    subnet: subnets
      .filter(subnet => subnet.vpcId === shootVpc)
      .toSorted(bestFirst(({ id }) => subnetIds.includes(id)))[0],
    vpcIds,
    workerGroup,
    group: inShootVpc(groups),
    namesake: inShootVpc(judgedGroups.filter(({ why }) => why !== undefined)),
    groups,
    workerGroups,
    instances: ours
      .filter(instance => isRecorded(instance) || !isOfPredecessor(desired, instance))
      .toSorted(bestFirst(isRecorded, ({ state }) => state === 'running' || state === 'pending')),
    recorded: instances.find(isRecorded),
    outdated: ours.filter(instance => !isRecorded(instance) && isOfPredecessor(desired, instance)),
    leaving: instances.filter(({ state }) => state === 'shutting-down'),
    isEmpty: subnets.length + named.length + instances.length === 0,
    ended: instances.filter(instance => isEnded(instance) && isMarked(desired, instance)).length,
    left: [
      ...judgedGroups.flatMap(({ item, why }) =>
        why === undefined ? [] : [{ what: 'security group' as const, id: item.id, vpcId: item.vpcId, why }],
      ),
      ...judged.flatMap(({ item, why }) =>
        why === undefined ? [] : [{ what: 'instance' as const, id: item.id, why }],
      ),
    ],
  }
}

const isEnded = ({ state }: ObservedInstance): boolean => state === 'shutting-down' || state === 'terminated'

const isOf = (recorded: RecordedInstance | undefined, { id, token }: ObservedInstance): boolean =>
  recorded?.id === undefined ? token !== '' && token === recorded?.launch?.token : recorded.id === id

const readUnlistedGroup = async (
  ec2: BastionEc2,
  { group }: BastionState,
  listed: readonly ObservedGroup[],
): Promise<readonly ObservedGroup[]> => {
  if (group?.id === undefined || listed.some(({ id }) => id === group.id)) return []
  const found = await ec2.groupOf(group.id)
  return found === undefined ? [] : [found]
}

const readUnlistedInstance = async (
  ec2: BastionEc2,
  { instance }: BastionState,
): Promise<readonly ObservedInstance[]> => {
  const { id, launch } = instance ?? {}
  const by = id !== undefined ? { id } : launch
  const found = by && (await ec2.instanceWith(by))
  return found === undefined ? [] : [found]
}

/** Compares by criteria, most important first, and then by id: EC2 lists in any order. */
const bestFirst =
  <T extends { readonly id: string }>(...criteria: readonly ((item: T) => boolean)[]) =>
  (one: T, other: T): number => {
    for (const holds of criteria) if (holds(one) !== holds(other)) return holds(one) ? -1 : 1
    return one.id < other.id ? -1 : 1
  }

export interface Judged<T> {
  readonly item: T
  /** Undefined: it is ours. */
  readonly why: string | undefined
}

const oursAmong = <T>(judged: readonly Judged<T>[]): readonly T[] =>
  judged.flatMap(({ item, why }) => (why === undefined ? [item] : []))

type Marked = Pick<ObservedInstance, 'tags'>

const isMarked = ({ uid }: DesiredBastion, { tags }: Marked): boolean => uid !== '' && tags[markTag] === uid

/** Returns true for the mark of an earlier Bastion with this name. Without a uid, a plan cannot know that. */
const isOfPredecessor = ({ uid }: DesiredBastion, { tags }: Marked): boolean =>
  uid !== '' && tags[markTag] !== undefined && tags[markTag] !== uid

/** Returns true for a resource with a tag of the object or of its predecessor with the same namespace and name. */
export const isProvedByTags = (desired: DesiredBastion, item: Marked): boolean =>
  isMarked(desired, item) || item.tags[objectTag] === desired.object

/**
 * The Bastion's mark proves a group in any VPC. In the VPC of the shoot, its namespace and name prove a group, too,
 * because no other object has them there. The Go extension tags nothing. Its group has these names and this
 * description, and one of its rules, or of the nodes' group, refers to the nodes of this shoot
 * (docs/decisions/0039-whose-a-bastion-is.md).
 */
const whyNotOurGroup = (
  desired: DesiredBastion,
  group: ObservedGroup,
  shootVpc: string | undefined,
  workerGroup: ObservedGroup | undefined,
): string | undefined => {
  if (isMarked(desired, group)) return undefined
  const object = group.tags[objectTag]
  if (object !== undefined && object !== desired.object) return `it was created for the Bastion ${object}`
  if (shootVpc === undefined) return 'the VPC of the shoot is unknown'
  if (group.vpcId !== shootVpc) return `it is not in ${shootVpc}, the VPC of the shoot`
  if (isProvedByTags(desired, group)) return undefined
  const leadsToNodes =
    workerGroup !== undefined &&
    (group.rules.some(({ peer }) => peer === workerGroup.id) ||
      workerGroup.rules.some(({ peer }) => peer === group.id))
  return leadsToNodes && group.description === groupDescription && group.tags.Name === group.name
    ? undefined
    : 'it has neither the tag of the Bastion nor all properties of a group of the Go extension'
}

/** A name does not prove ownership. An instance without the Bastion's mark must be in its group. */
const whyNotOurInstance = (
  desired: DesiredBastion,
  instance: ObservedInstance,
  groups: readonly ObservedGroup[],
): string | undefined => {
  if (isMarked(desired, instance)) return undefined
  const object = instance.tags[objectTag]
  if (object !== undefined && object !== desired.object) return `it was created for the Bastion ${object}`
  return groups.some(({ id }) => instance.groupIds.includes(id))
    ? undefined
    : 'it has neither the tag of the Bastion nor its security group'
}
