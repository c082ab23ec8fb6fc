import type { WireRecord } from './request.ts'

export type ResponseCode =
  | 'NOERROR'
  | 'FORMERR'
  | 'SERVFAIL'
  | 'NXDOMAIN'
  | 'NOTIMP'
  | 'REFUSED'
  | 'NOTAUTH'
  | 'NOTZONE'

export type StoredRecord = Pick<WireRecord, 'name' | 'type' | 'ttl' | 'data'>

export interface ServedZone {
  /** Returns true if a name is the zone or below it. */
  holds(name: string): boolean
  /** Returns the records of a name, of all types. */
  at(name: string): readonly StoredRecord[]
  /** Returns true if there is a record with that name or below it. */
  isThere(name: string): boolean
  /** Returns all records by name and type. */
  all(): readonly StoredRecord[]
  /** Applies the updates of a message, all or none (RFC 2136, section 3.4). */
  update(updates: readonly WireRecord[]): ResponseCode
  /** Increases with each change. */
  serial(): number
}

export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

export const createZone = (name: string): ServedZone => {
  const origin = plainName(name)
  const sets = new Map<string, readonly StoredRecord[]>()
  let serial = 1
  const keyOf = (record: Pick<StoredRecord, 'name' | 'type'>) => `${plainName(record.name)} ${record.type}`
  const all = () => [...sets].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, records]) => records)
  const at = (owner: string) => all().filter(record => plainName(record.name) === plainName(owner))
  const holds = (owner: string) => plainName(owner) === origin || plainName(owner).endsWith(`.${origin}`)

  const remove = ({ name: owner, type }: WireRecord) => {
    if (type !== 'ANY') return void sets.delete(keyOf({ name: owner, type }))
    for (const record of at(owner)) sets.delete(keyOf(record))
  }
  const removeOne = (record: WireRecord) => {
    const left = (sets.get(keyOf(record)) ?? []).filter(one => !sameData(one, record))
    if (left.length === 0) sets.delete(keyOf(record))
    else sets.set(keyOf(record), left)
  }
  /** A record that conflicts with others of the name is silently ignored (RFC 2136, section 3.4.2.2). */
  const add = (record: WireRecord) => {
    const isAlias = record.type === 'CNAME'
    if (at(record.name).some(({ type }) => (type === 'CNAME') !== isAlias)) return
    const { ttl } = record
    const others = isAlias ? [] : (sets.get(keyOf(record)) ?? []).filter(one => !sameData(one, record))
    const stored = { name: plainName(record.name), type: record.type, data: record.data }
    sets.set(
      keyOf(record),
      [...others, stored].map(one => ({ ...one, ttl })),
    )
  }

  return {
    holds,
    at,
    all,
    isThere: owner => all().some(record => `.${record.name}`.endsWith(`.${plainName(owner)}`)),
    serial: () => serial,
    update: updates => {
      if (!updates.every(record => holds(record.name))) return 'NOTZONE'
      if (!updates.every(isWellFormed)) return 'FORMERR'
      const before = JSON.stringify(all())
      for (const record of updates) {
        if (record.class === 'ANY') remove(record)
        else if (record.class === 'NONE') removeOne(record)
        else add(record)
      }
      if (JSON.stringify(all()) !== before) serial++
      return 'NOERROR'
    },
  }
}

const sameData = (a: Pick<StoredRecord, 'data'>, b: Pick<StoredRecord, 'data'>): boolean =>
  JSON.stringify(a.data) === JSON.stringify(b.data)

/** RFC 2136, section 3.4.1.3. */
const isWellFormed = ({ class: recordClass, ttl, data, type }: WireRecord): boolean => {
  switch (recordClass) {
    case 'IN':
      return data !== undefined && type !== 'ANY'
    case 'ANY':
      return data === undefined && ttl === 0
    case 'NONE':
      return data !== undefined && ttl === 0
    default:
      return false
  }
}
