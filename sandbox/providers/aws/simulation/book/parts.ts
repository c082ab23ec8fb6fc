import { type AwsRow, isFields, type SnapshotFields } from '../aws-contents.ts'

type Part = readonly [kind: string, id: unknown]

const parse = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : undefined)
const list = (value: unknown): readonly unknown[] => [value ?? []].flat()
const fields = (value: unknown): readonly SnapshotFields[] => list(value).filter(isFields)

/** The parts of a resource that others may add, by the table of the resource. */
const parts: Readonly<Record<string, (value: SnapshotFields) => readonly Part[]>> = {
  securityGroups: ({ rules }) => fields(rules).map(({ id }) => ['rule', id]),
  routeTables: ({ routes, associations }) => [
    ...fields(routes).map(({ destination }): Part => ['route', destination]),
    ...fields(associations).map(({ subnetId }): Part => ['association', subnetId ?? 'main']),
  ],
  vpcEndpoints: ({ routeTableIds }) => list(routeTableIds).map(id => ['route table', id]),
  natGateways: ({ addresses }) => fields(addresses).map(({ allocationId }) => ['address', allocationId]),
  roles: ({ policies, attached }) => [
    ...fields(policies).map(({ name }): Part => ['policy', name]),
    ...list(attached).map((arn): Part => ['attached policy', arn]),
  ],
  buckets: ({ policy, lifecycle }) => [
    ...fields(Object(parse(policy)).Statement).map((one): Part => ['statement', JSON.stringify(one)]),
    ...fields(parse(lifecycle)).map((one): Part => ['lifecycle rule', JSON.stringify(one)]),
  ],
}

/** A part of a resource, with the key of the resource. */
export interface AwsPart extends AwsRow {
  readonly of: string
}

const tableOf = ({ place }: AwsRow): string => place.slice(place.lastIndexOf(' ') + 1)

/** Returns the parts of a row as rows of their own: each may have another creator. */
export const partsOf = (row: AwsRow, key: string): readonly AwsPart[] => {
  const { tags } = row.value
  const all = [
    ...(parts[tableOf(row)]?.(row.value) ?? []),
    ...fields(tags).map(({ Key, Value }): Part => ['tag', `${Key}=${Value}`]),
  ]
  return all.map(([kind, id]) => ({
    place: `${row.place} ${kind}`,
    of: key,
    value: { id: `${key} ${kind} ${id}` },
  }))
}

/** A reconcile closes the default group of its VPC and the group of a bastion for all others. */
const isClosed = ({ name }: SnapshotFields): boolean => /^default$|-bsg$/.test(String(name))

/**
 * Returns true if an object may not remove a part that others have added to a resource (docs/drift.md#what-is-ignored).
 *
 * @param isOwn the resource was created for the object.
 */
export const isProtected = ({ place }: AwsRow, whole: AwsRow, isOwn: boolean): boolean => {
  if (!isOwn) return true
  if (place.endsWith(' tag')) return tableOf(whole) === 'routeTables'
  return !isClosed(whole.value)
}
