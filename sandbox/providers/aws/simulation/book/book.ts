import { AsyncLocalStorage } from 'node:async_hooks'
import type { ObjectName } from '../../../../simulation/invariants/invariants.ts'
import type { Aws } from '../../simulator/aws.ts'
import { type AwsRow, awsRows, isFields, isGone, type SnapshotFields } from '../aws-contents.ts'
import { partsOf, withoutParts } from './parts.ts'

/**
 * The creator of a resource: an object, the controllers in a shoot (`controllers of <namespace>`), or others. It is
 * unknown in the worlds of earlier versions.
 */
export type Owner = ObjectName | 'others' | 'unknown'

/** The namespace of the shoot in which the calling controllers run. */
export const controllersOf = new AsyncLocalStorage<string>()

/** Does what controllers do that run in the shoot of a namespace. */
export const asControllers = <T>(namespace: string, act: () => Promise<T>): Promise<T> =>
  controllersOf.run(namespace, act)

export const ownerOfControllers = (namespace: string): Owner => `controllers of ${namespace}`

export interface BookedRow extends AwsRow {
  /** Unique in all accounts. */
  readonly key: string
  readonly owner: Owner
  /** The key of the resource of which it is a part. */
  readonly of?: string
}

/** The creators of resources, by the effects of calls: independent of tags, names and states. */
export interface Book {
  /** Enters what is new since the last call. `ownerOf`: the creator of a new row. Returns what no longer exists. */
  enter(ownerOf: (row: AwsRow) => Owner): readonly BookedRow[]
  /** Returns the row that an id, or the id of an association in it, names. Undefined: it does not exist. */
  named(id: string): BookedRow | undefined
  /** Returns the row of a table by its name. */
  called(table: string, name: string): BookedRow | undefined
  /** Returns a row of others in such a place that contains an id, but has another one. */
  naming(id: unknown, place: RegExp): BookedRow | undefined
  /** Returns the time since which a row exists, in ms since the epoch. 0: before the run. */
  since(row: BookedRow): number
  /** Returns the resource of a part that exists. */
  wholeOf(part: BookedRow): BookedRow | undefined
  /** Returns the rows that exist, without parts. */
  rows(): readonly BookedRow[]
  /** Returns a resource without the parts that others have added. */
  ownPart(row: BookedRow): AwsRow
  /** Gives a resource to others. */
  give(id: string): void
  /** Returns the ids of resources that objects have created since a time, of all tables or one. */
  created(since: number, table?: string): readonly string[]
  backUp(): ReadonlyMap<string, Owner>
  /** Without owners, the creators of all that exists are unknown. */
  restore(owners: ReadonlyMap<string, Owner> | undefined): void
}

export const createBook = (aws: Aws): Book => {
  let owners = new Map<string, Owner>()
  const times = new Map<string, number>()
  let present: ReadonlyMap<string, BookedRow> = new Map()
  let ids: ReadonlyMap<string, string> = new Map()

  const scan: Book['enter'] = ownerOf => {
    const found = new Map<string, BookedRow>()
    const names = new Map<string, string>()
    const enterRow = (row: AwsRow, key: string): void => {
      const known = owners.get(key)
      const own = known ?? ownerOf(row)
      if (known === undefined) times.set(key, aws.clock.now())
      owners.set(key, own)
      found.set(key, { ...row, key, owner: own })
      for (const id of idsOf(row.value)) names.set(id, key)
    }
    for (const row of awsRows(aws).flatMap(withRecords)) {
      const key = keyOf(row)
      enterRow(row, key)
      for (const part of partsOf(row, key)) enterRow(part, String(part.value.id))
    }
    // A name can be used again.
    for (const key of owners.keys()) if (!found.has(key)) owners.delete(key)
    const now = aws.clock.now()
    const exists = (row: BookedRow | undefined) => row !== undefined && !isGone(row.value, now)
    const gone = [...present.values()].filter(row => exists(row) && !exists(found.get(row.key)))
    present = found
    ids = names
    return gone
  }
  return {
    enter: scan,
    named: id => present.get(ids.get(id) ?? ''),
    called: (table, name) =>
      [...present.values()].find(
        ({ place, value }) => place.endsWith(` ${table}`) && (value.name === name || value.arn === name),
      ),
    naming: (id, place) =>
      typeof id !== 'string'
        ? undefined
        : [...present.values()].find(
            row =>
              row.owner === 'others' &&
              row.of === undefined &&
              place.test(row.place) &&
              row.value.id !== id &&
              !isGone(row.value, aws.clock.now()) &&
              JSON.stringify(row.value).includes(id),
          ),
    since: ({ key }) => times.get(key) ?? 0,
    wholeOf: ({ of = '' }) => {
      const whole = present.get(of)
      return whole === undefined || isGone(whole.value, aws.clock.now()) ? undefined : whole
    },
    rows: () =>
      [...present.values()].filter(({ of, value }) => of === undefined && !isGone(value, aws.clock.now())),
    ownPart: row =>
      row.owner === 'others' ? row : withoutParts(row, row.key, id => present.get(id)?.owner === 'others'),
    give: id => {
      const key = ids.get(id)
      if (key !== undefined) owners.set(key, 'others')
      scan(() => 'others')
    },
    created: (since, table) =>
      [...present.values()]
        .filter(
          ({ key, owner, place, of }) =>
            of === undefined &&
            owner !== 'others' &&
            (table === undefined || place.endsWith(` ${table}`)) &&
            (times.get(key) ?? 0) >= since &&
            !/ (?:record|networkInterfaces|networkAcls|volumes)$/.test(place),
        )
        .map(({ value: { id, arn, name }, place }) =>
          String(/ (?:roles|profiles|buckets)$/.test(place) ? name : (id ?? arn ?? name)),
        ),
    backUp: () => new Map(owners),
    restore: before => {
      owners = new Map(before)
      scan(() => (before === undefined ? 'unknown' : 'others'))
    },
  }
}

/** Record sets are part of their zone. */
const withRecords = (row: AwsRow): readonly AwsRow[] => {
  const { recordSets, id } = row.value
  if (!Array.isArray(recordSets)) return [row]
  const records = recordSets.filter(isFields).map(record => ({
    place: `${row.place} record`,
    value: { id: [id, record.Name, record.Type, record.SetIdentifier].join(' '), ...record },
  }))
  return [row, ...records]
}

const keyOf = ({ place, value: { id, arn, name } }: AwsRow): string =>
  `${place} ${/ (?:roles|profiles)$/.test(place) ? name : (id ?? arn ?? name)}`

/** The ids by which calls name a row: its own, and those of associations. */
const idsOf = ({ id, associations, association }: SnapshotFields): readonly string[] =>
  [id, ...[associations ?? association ?? []].flat().map(one => Object(one).id)].filter(
    one => typeof one === 'string',
  )
