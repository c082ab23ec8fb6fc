import { CreateTagsCommand, DeleteTagsCommand } from '@aws-sdk/client-ec2'
import type { CallContext, Found, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import { idsInState, isZoneKey } from '../state.ts'
import type { Purpose } from '../tags.ts'
import { clusterTag, readTags } from '../tags.ts'
import { managedTag, type OwnZoneOutcome, roleTags, tableOf } from './find-own-zone.ts'
import type { OwnZones } from './own-zone.ts'

/** The value of a tag, by `<id of the subnet or route table> <key>`. */
export type SharedTags = { readonly [Tag in `${string} ${string}`]: string | undefined }

const idOf = (attribute: string): string => attribute.slice(0, attribute.indexOf(' '))
const keyOf = (attribute: string): string => attribute.slice(attribute.indexOf(' ') + 1)

/**
 * The tags for subnets and route tables of the user: that they are shared with the cluster and, for load balancer
 * subnets, their role. A role tag by the user stays the user's.
 */
export const sharedTags = (
  desired: DesiredInfrastructure,
  own: OwnZones,
  outcomes: Readonly<Record<string, OwnZoneOutcome>>,
): SharedTags => {
  const tags: Record<string, string> = {}
  for (const zone of own.zones) {
    const outcome = outcomes[zone.name]
    for (const role of ['public', 'internal'] as const) {
      const subnet = outcome?.[role]
      // A subnet found by its tags has them already.
      if (subnet === undefined || subnet.id !== zone[role]) continue
      tags[`${subnet.id} ${clusterTag(desired)}`] = 'shared'
      if (subnet.hasRole) continue
      tags[`${subnet.id} ${roleTags[role]}`] = '1'
      tags[`${subnet.id} ${managedTag}`] = roleTags[role]
    }
    if (own.tagRouteTables && outcome?.routeTable !== undefined)
      tags[`${outcome.routeTable} ${clusterTag(desired)}`] = 'shared'
  }
  return tags
}

/** All these tags as one resource, because one call writes them for several subnets. */
export const sharedTagsType = (
  desired: DesiredInfrastructure,
  own: OwnZones,
  reads: Pick<NetworkReads, 'subnets' | 'routeTables'>,
  { destroying }: Purpose,
): ResourceType<
  AwsCloud,
  SharedTags,
  Readonly<Record<never, never>>,
  Readonly<Record<string, OwnZoneOutcome>>
> => ({
  what: 'tags of own subnets',
  list: async ({ read, state }) => {
    // Tables may have the tag from a time without overlay, and the state forgets them before the tag is removed.
    const [subnets, tables] = await Promise.all([read(reads.subnets), read(reads.routeTables)])
    const known = idsInState(state, key => isZoneKey(key, 'ZoneRouteTable'))
    const named = new Set(own.zones.flatMap(zone => [zone.public, zone.internal]))
    const workers = new Set(own.zones.map(zone => zone.workers))
    // The cluster tag with the value shared is removed from subnets that are found by the user's tags. Our own subnets
    // have the value owned.
    const found = idsInState(state, key => isZoneKey(key, 'SubnetPublicUtility', 'SubnetPrivateUtility'))
    const attributes: Record<string, string> = {}
    const add = (id: string, tags: Readonly<Record<string, string>>, keys: readonly string[]) => {
      for (const key of keys) if (tags[key] !== undefined) attributes[`${id} ${key}`] = tags[key]
    }
    for (const { SubnetId: id = '', Tags } of subnets) {
      const tags = readTags(Tags)
      const role = tags[managedTag]
      // The marker alone may belong to another cluster.
      const ours = tags[clusterTag(desired)] === 'shared' && role !== undefined
      if (named.has(id) || ours) add(id, tags, [clusterTag(desired), ...(role ? [role, managedTag] : [])])
      // Older versions tagged them.
      else if (destroying && workers.has(id)) add(id, tags, [clusterTag(desired)])
      else if (destroying && found.has(id) && tags[clusterTag(desired)] === 'shared')
        add(id, tags, [clusterTag(desired)])
    }
    const used = new Set([...workers].map(id => tableOf(id, tables)))
    for (const { RouteTableId: id = '', Tags } of tables) {
      if (used.has(id) || known.has(id)) add(id, readTags(Tags), [clusterTag(desired)])
    }
    if (Object.keys(attributes).length === 0) return []
    // EC2 may show the tags of one subnet before those of another.
    const unseen = destroying ? unseenTags(desired, own, { named, used }) : {}
    return [foundTags(desired, { ...unseen, ...attributes })]
  },
  create: async ({ attributes, ...call }) => {
    await write(call, Object.entries(attributes))
    return foundTags(desired, attributes)
  },
  update: async ({ changes, ...call }) => {
    const gone = changes.filter(({ after }) => after === undefined).map(({ attribute }) => attribute)
    if (gone.length > 0) await erase(call, gone)
    const set = changes.filter(({ after }) => after !== undefined)
    if (gone.length > 0 && set.length > 0) call.throwIfExpired()
    await write(
      call,
      set.map(({ attribute, after }) => [attribute, after]),
    )
    return undefined
  },
  remove: async ({ found, ...call }) => {
    const roles: ReadonlySet<string> = new Set(Object.values(roleTags))
    // Other clusters may use the role by now.
    await erase(
      call,
      Object.keys(found.attributes).filter(attribute => !roles.has(keyOf(attribute))),
    )
    return 'gone'
  },
  owns: () => true,
})

/** Returns the tags that a deletion removes from the user's resources, whether they are shown or not. */
const unseenTags = (
  desired: DesiredInfrastructure,
  own: OwnZones,
  { named, used }: Readonly<Record<'named' | 'used', ReadonlySet<string | undefined>>>,
): SharedTags =>
  Object.fromEntries([
    ...[...named].flatMap(id =>
      id === undefined ? [] : [clusterTag(desired), managedTag].map(key => [`${id} ${key}`, ''] as const),
    ),
    ...[...(own.tagRouteTables ? used : [])].flatMap(id =>
      id === undefined ? [] : [[`${id} ${clusterTag(desired)}`, ''] as const],
    ),
  ])

const foundTags = (
  { clusterName }: DesiredInfrastructure,
  attributes: SharedTags,
): Found<SharedTags, Record<never, never>> => ({
  id: clusterName,
  key: '',
  status: 'ready',
  attributes,
  outcome: {},
  ours: 'proved',
})

const write = async (
  { cloud, signal, throwIfExpired }: CallContext<AwsCloud>,
  tags: readonly (readonly [string, unknown])[],
): Promise<void> => {
  for (const [index, { ids, tags: Tags }] of alike(tags).entries()) {
    if (index > 0) throwIfExpired()
    await cloud.ec2.send(new CreateTagsCommand({ Resources: ids, Tags }), { abortSignal: signal })
  }
}

const erase = async (
  { cloud, signal, throwIfExpired }: CallContext<AwsCloud>,
  attributes: readonly string[],
): Promise<void> => {
  const groups = alike(attributes.map(attribute => [attribute, undefined]))
  for (const [index, { ids, tags }] of groups.entries()) {
    if (index > 0) throwIfExpired()
    await cloud.ec2.send(new DeleteTagsCommand({ Resources: ids, Tags: tags.map(({ Key }) => ({ Key })) }), {
      abortSignal: signal,
    })
  }
}

/** Groups resources with equal tags. */
const alike = (
  tags: readonly (readonly [string, unknown])[],
): readonly { readonly ids: string[]; readonly tags: { Key: string; Value: string }[] }[] => {
  const byId = Map.groupBy(tags, ([attribute]) => idOf(attribute))
  const sets = [...byId].map(([id, entries]) => ({
    id,
    tags: entries
      .map(([attribute, value]) => ({ Key: keyOf(attribute), Value: String(value) }))
      .sort((one, other) => (one.Key < other.Key ? -1 : 1)),
  }))
  return [...Map.groupBy(sets, ({ tags: set }) => JSON.stringify(set)).values()].map(group => ({
    ids: group.map(({ id }) => id),
    tags: group[0]?.tags ?? [],
  }))
}
