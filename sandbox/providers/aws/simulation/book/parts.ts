import type { AwsRow, SnapshotFields } from '../aws-contents.ts'

/** A list of parts in a resource. */
interface PartList {
  /** `rule` */
  readonly what: string
  readonly items: (value: SnapshotFields) => readonly unknown[]
  readonly idOf: (item: unknown) => unknown
  /** Returns the resource with other parts. */
  readonly replaced: (value: SnapshotFields, items: readonly unknown[]) => SnapshotFields
}

const list = (value: unknown): readonly unknown[] => [value ?? []].flat()

const listOf = (what: string, field: string, id?: string): PartList => ({
  what,
  items: value => list(value[field]),
  idOf: item => (id === undefined ? item : (Object(item)[id] ?? 'main')),
  replaced: (value, items) => ({ ...value, [field]: items }),
})

const statements: PartList = {
  what: 'statement',
  items: ({ policy }) => (typeof policy === 'string' ? list(JSON.parse(policy).Statement) : []),
  idOf: JSON.stringify,
  replaced: ({ policy, ...value }, Statement) =>
    Statement.length === 0
      ? { ...value, policy: undefined }
      : { ...value, policy: JSON.stringify({ ...JSON.parse(String(policy)), Statement }) },
}

const lifecycleRules: PartList = {
  what: 'lifecycle rule',
  items: ({ lifecycle }) => (typeof lifecycle === 'string' ? list(JSON.parse(lifecycle)) : []),
  // S3 gives another id to a rule without one at each write.
  idOf: rule => JSON.stringify({ ...Object(rule), ID: undefined }),
  replaced: (value, rules) => ({
    ...value,
    lifecycle: rules.length === 0 ? undefined : JSON.stringify(rules),
  }),
}

const tags: PartList = {
  ...listOf('tag', 'tags'),
  idOf: tag => `${Object(tag).Key}=${Object(tag).Value}`,
}

/** The parts that others may add, by the table of a resource. */
const partLists: Readonly<Record<string, readonly PartList[]>> = {
  securityGroups: [listOf('rule', 'rules', 'id')],
  routeTables: [listOf('route', 'routes', 'destination'), listOf('association', 'associations', 'subnetId')],
  vpcEndpoints: [listOf('route table', 'routeTableIds')],
  vpcs: [listOf('IPv6 block', 'ipv6Blocks', 'id')],
  natGateways: [listOf('address', 'addresses', 'allocationId')],
  roles: [listOf('policy', 'policies', 'name'), listOf('attached policy', 'attached')],
  buckets: [statements, lifecycleRules],
}

const tableOf = ({ place }: AwsRow): string => place.slice(place.lastIndexOf(' ') + 1)

const listsOf = (row: AwsRow): readonly PartList[] => [
  ...(partLists[tableOf(row)] ?? []),
  ...('tags' in row.value ? [tags] : []),
]

/** A part of a resource, with the key of the resource. */
export interface AwsPart extends AwsRow {
  readonly of: string
}

/** Returns the parts of a row as rows of their own: each may have another creator. */
export const partsOf = (row: AwsRow, key: string): readonly AwsPart[] =>
  listsOf(row).flatMap(({ what, items, idOf }) =>
    items(row.value).map(item => ({
      place: `${row.place} ${what}`,
      of: key,
      value: { id: `${key} ${what} ${idOf(item)}` },
    })),
  )

/** Returns a row without the parts for which `isLeftOut` returns true. */
export const withoutParts = (row: AwsRow, key: string, isLeftOut: (id: string) => boolean): AwsRow => {
  let { value } = row
  for (const { what, items, idOf, replaced } of listsOf(row)) {
    const all = items(value)
    const left = all.filter(item => !isLeftOut(`${key} ${what} ${idOf(item)}`))
    if (left.length < all.length) value = replaced(value, left)
  }
  return { ...row, value }
}

/** A reconcile closes the default group of its VPC and the group of a bastion for all others. */
const isClosed = ({ name }: SnapshotFields): boolean => /^default$|-bsg$/.test(String(name))

/** S3 replaces these lists as a whole, without a version: no step can protect a part that is added after a read. */
export const isReplaced = ({ place }: AwsRow): boolean => / (?:statement|lifecycle rule)$/.test(place)

/**
 * Returns true if an object may not remove a part that others have added to a resource (docs/drift.md#what-is-ignored).
 *
 * @param isOwn the resource was created for the object, which is not in deletion.
 */
export const isProtected = ({ place }: AwsRow, whole: AwsRow, isOwn: boolean): boolean => {
  if (!isOwn) return true
  if (place.endsWith(' tag')) return tableOf(whole) === 'routeTables'
  return !isClosed(whole.value)
}
