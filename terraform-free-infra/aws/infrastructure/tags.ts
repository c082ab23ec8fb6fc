import {
  CreateTagsCommand,
  DeleteTagsCommand,
  type ResourceType,
  type Tag,
  type TagSpecification,
} from '@aws-sdk/client-ec2'
import {
  type CallContext,
  type Change,
  hasUnanswered,
  notedWaits,
  type State,
  type Unmark,
} from '../../engine/engine.ts'
import { markTag } from '../account/tags/mark-tag.ts'
import type { AwsCloud } from './cloud.ts'
import type { DesiredInfrastructure, ManagedZone } from './desired-infrastructure.ts'
import type { ZoneKey } from './state.ts'

export type Tags = Readonly<Record<string, string>>

/** Tags as attributes: `{ 'tag Name': 'shoot--foo--bar' }`. */
export type TagAttributes = { readonly [Key in `tag ${string}`]: string | undefined }

/** The key of the tag that names the owner of a resource (docs/contract/provider-aws.md#names-and-tags). */
export const clusterTag = ({ clusterName }: Pick<DesiredInfrastructure, 'clusterName'>): string =>
  `kubernetes.io/cluster/${clusterName}`

/**
 * The tags of a resource of the shoot (docs/contract/provider-aws.md#names-and-tags), without those that the config
 * ignores.
 */
export const tagsOf = (
  desired: Pick<DesiredInfrastructure, 'clusterName' | 'ignoreTags'>,
  name: string,
  more: Tags = {},
): Tags => {
  const ignored = (key: string) => isIgnored(desired, key)
  const desiredValue = Object.entries({ [clusterTag(desired)]: 'owned', Name: name, ...more })
  return Object.fromEntries(desiredValue.filter(([key]) => key === clusterTag(desired) || !ignored(key)))
}

const isIgnored = ({ ignoreTags }: Pick<DesiredInfrastructure, 'ignoreTags'>, key: string): boolean =>
  ignoreTags.keys.includes(key) || ignoreTags.keyPrefixes.some(prefix => key.startsWith(prefix))

/**
 * Returns true for a tag that a reconcile removes if it is not desired. As in the Go extension, these are all tags that
 * the config does not ignore. Marks are removed elsewhere, and AWS protects its own tags.
 */
export const ownsTag = (desired: Pick<DesiredInfrastructure, 'ignoreTags'>, attribute: string): boolean => {
  if (!attribute.startsWith('tag ')) return false
  const key = attribute.slice('tag '.length)
  return key !== markTag && !key.startsWith('aws:') && !isIgnored(desired, key)
}

export const tagAttributes = (tags: Tags): TagAttributes =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`tag ${key}`, value]))

export const foundTags = (tags: readonly Tag[] | undefined): TagAttributes => tagAttributes(readTags(tags))

export const readTags = (tags: readonly Tag[] | undefined): Tags =>
  Object.fromEntries((tags ?? []).flatMap(({ Key, Value = '' }) => (Key === undefined ? [] : [[Key, Value]])))

export const nameOf = (tags: readonly Tag[] | undefined): string => readTags(tags).Name ?? ''

/**
 * Returns true if a resource carries the tag `owned` of a shoot of this name; the values `1` and `shared` do not count.
 * The tag alone is no proof: shoots of two landscapes may have the same name in one account.
 */
export const isOwned = (
  desired: Pick<DesiredInfrastructure, 'clusterName'>,
  tags: readonly Tag[] | undefined,
): boolean => readTags(tags)[clusterTag(desired)] === 'owned'

/** Like `isOwned`, but also accepts the value that older releases of the Go extension wrote. */
export const isCluster = (
  desired: Pick<DesiredInfrastructure, 'clusterName'>,
  tags: readonly Tag[] | undefined,
): boolean => isOwned(desired, tags) || readTags(tags)[clusterTag(desired)] === '1'

/** The values of a mark that identify this shoot. */
export type MarkUids = Pick<DesiredInfrastructure, 'uid' | 'otherUids'>

export const isMarked = ({ uid, otherUids }: MarkUids, tags: readonly Tag[] | undefined): boolean => {
  const { [markTag]: mark = '' } = readTags(tags)
  return mark !== '' && (mark === uid || otherUids.includes(mark))
}

export const isOthers = (uids: MarkUids, tags: readonly Tag[] | undefined): boolean =>
  readTags(tags)[markTag] !== undefined && !isMarked(uids, tags)

/**
 * The cluster's name and marks. `tagsProve` is true if the cluster's tag identifies this shoot at the place of the
 * resource.
 */
export interface TagProof extends MarkUids, Pick<DesiredInfrastructure, 'clusterName'> {
  readonly tagsProve: boolean
}

/**
 * Derives the owner of a resource from its tags. A mark proves it. The cluster's tag makes it likely ours if
 * `tagsProve`. Otherwise that tag proves nothing, because another landscape may write the same one.
 */
export const whoseByTags = (
  proof: TagProof,
  id: string,
  tags: readonly Tag[] | undefined,
): { readonly mark?: string; readonly ours?: 'likely' } => {
  if (isMarked(proof, tags)) return { mark: id }
  return proof.tagsProve && isOwned(proof, tags) && !isOthers(proof, tags) ? { ours: 'likely' } : {}
}

/**
 * Returns true if a resource in our VPC, or in the user's, is ours: by its mark, by its tags, or because the state
 * records it.
 */
export const isOurs = (
  proof: TagProof,
  recorded: ReadonlySet<string>,
  id: string,
  tags: readonly Tag[] | undefined,
): boolean => recorded.has(id) || Object.keys(whoseByTags(proof, id, tags)).length > 0

export const tagsAmong = (attributes: Readonly<Record<string, unknown>>): TagAttributes =>
  tagAttributes(readTags(tagsIn(Object.entries(attributes))))

/**
 * Returns the tags for a create call: the desired tags, and the mark of the object, which no foreign resource has. The
 * mark is removed once everything is recorded.
 */
export const tagSpecification = (
  { uid }: Pick<DesiredInfrastructure, 'uid'>,
  type: ResourceType,
  attributes: Readonly<Record<string, unknown>>,
): TagSpecification[] => [
  { ResourceType: type, Tags: [...tagsIn(Object.entries(attributes)), { Key: markTag, Value: uid }] },
]

/** Removes the mark from all given resources in one call. */
export const unmark: Unmark<AwsCloud> = async ({ cloud, signal }, ids) => {
  const command = new DeleteTagsCommand({ Resources: [...ids], Tags: [{ Key: markTag }] })
  await cloud.ec2.send(command, { abortSignal: signal })
}

/** Removes and sets the tags among the changes, with one call each. Makes no call without changes. */
export const writeTags = async (
  { cloud, signal }: Pick<CallContext<AwsCloud>, 'cloud' | 'signal'>,
  id: string,
  changes: readonly Change[],
): Promise<undefined> => {
  const gone = tagsIn(
    changes.map(({ attribute, before, after }) => [attribute, after === undefined ? before : undefined]),
  )
  if (gone.length > 0)
    await cloud.ec2.send(new DeleteTagsCommand({ Resources: [id], Tags: gone }), { abortSignal: signal })
  const tags = tagsIn(changes.map(({ attribute, after }) => [attribute, after]))
  if (tags.length > 0)
    await cloud.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: tags }), { abortSignal: signal })
}

const tagsIn = (attributes: readonly (readonly [string, unknown])[]): Tag[] =>
  attributes.flatMap(([attribute, value]) =>
    attribute.startsWith('tag ') && typeof value === 'string'
      ? [{ Key: attribute.slice('tag '.length), Value: value }]
      : [],
  )

/** The purpose of a graph. A graph for a deletion also contains leftovers of others. */
export interface Purpose {
  readonly destroying?: boolean
}

/**
 * Returns true if the read for a type can be skipped: an earlier step of this deletion has read it, nothing more can be
 * done, and only other types are waited for. The state must not name a role of the nodes, which every step of a
 * creation records and the first step of a deletion removes: with a role, no step of this deletion has read anything
 * yet.
 */
export const isDoneWith = (
  state: State,
  { destroying }: Purpose,
  {
    what,
    keys,
    behind = [],
  }: {
    readonly what: string
    readonly keys: readonly string[]
    /** Types that block this type during their deletion, so this type still has to be removed. */
    readonly behind?: readonly string[]
  },
): boolean => {
  if (!destroying || hasUnanswered(state)) return false
  if (['IAMRoleName', ...keys].some(key => state[key] !== undefined)) return false
  const waits = notedWaits(state)
  return (
    waits.length > 0 &&
    waits.every(wait => wait.how === 'going' && wait.what !== what && !behind.includes(wait.what))
  )
}

export type SubnetKind = 'workers' | 'internal' | 'public'

/**
 * The differences between the subnets of a zone (docs/contract/provider-aws.md#subnets,
 * docs/contract/provider-aws.md#names-and-tags, docs/contract/provider-aws.md#state).
 */
export const subnetKinds: Readonly<
  Record<
    SubnetKind,
    {
      readonly part: string
      readonly tags: Readonly<Record<string, string>>
      /** Index of its block among the zone's three /64. */
      readonly block: number
      readonly stateKey: ZoneKey
      readonly associationKey: ZoneKey
    }
  >
> = {
  workers: {
    part: 'nodes',
    tags: {},
    block: 0,
    stateKey: 'SubnetWorkers',
    associationKey: 'SubnetWorkersRouteTableAssoc',
  },
  internal: {
    part: 'private-utility',
    tags: { 'kubernetes.io/role/internal-elb': '1' },
    block: 1,
    stateKey: 'SubnetPrivateUtility',
    associationKey: 'SubnetPrivateRouteTableAssoc',
  },
  public: {
    part: 'public-utility',
    tags: { 'kubernetes.io/role/elb': '1' },
    block: 2,
    stateKey: 'SubnetPublicUtility',
    associationKey: 'SubnetPublicRouteTableAssoc',
  },
}

export const allSubnetKinds: readonly SubnetKind[] = ['workers', 'internal', 'public']

export const nameOfSubnet = (
  { clusterName }: DesiredInfrastructure,
  { suffix }: ManagedZone,
  kind: SubnetKind,
): string => `${clusterName}-${subnetKinds[kind].part}-${suffix}`

/** Returns the same key as `subnetKey` returns for an observed subnet. */
export const keyOfSubnet = (desired: DesiredInfrastructure, zone: ManagedZone, kind: SubnetKind): string =>
  `${zone.name} ${zone[kind] ?? nameOfSubnet(desired, zone, kind)}`
