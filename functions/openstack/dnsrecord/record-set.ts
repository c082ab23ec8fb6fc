import { defaultRecordTtlSeconds } from '../../../shared/contract/constants.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { canonicalCidr } from '../../../terraform-free-infra/cloud/cidr.ts'
import { txtRecord, txtText } from './txt-record.ts'

type RecordType = DNSRecord['spec']['recordType']

/** A record set as Designate writes it. `name` ends with a dot. `ttl`: seconds. */
export interface DesiredSet {
  readonly name: string
  readonly type: RecordType
  readonly records: readonly string[]
  readonly ttl: number
}

/** A record set in Designate. `ttl` null: that of its zone. */
export interface PresentSet extends Omit<DesiredSet, 'type' | 'ttl'> {
  readonly id: string
  readonly type: string
  readonly ttl: number | null
  /** `ACTIVE`, `PENDING` until the name servers have the last change, or `ERROR` if they could not get it. */
  readonly status: string
  /** The last change: `CREATE`, `UPDATE`, `DELETE`, `NONE`. */
  readonly action: string
}

/** A change of one record set, with a description for users. `present` undefined: there is none. */
export interface RecordSetChange {
  readonly kind: 'create' | 'update' | 'delete'
  readonly sentence: string
  readonly present: PresentSet | undefined
}

/** Returns the name of a record in Designate, which compares names by case. */
export const setName = ({ spec }: Pick<DNSRecord, 'spec'>): string => withDot(spec.name.toLowerCase())

/** Returns the record set of a record. */
export const desiredSet = (object: Pick<DNSRecord, 'spec'>): DesiredSet => {
  const { recordType: type, values, ttl = defaultRecordTtlSeconds } = object.spec
  return { name: setName(object), type, ttl, records: recordsOf(type, values) }
}

const recordsOf = (type: RecordType, values: readonly string[]): readonly string[] => {
  const written = type === 'CNAME' ? withDot : type === 'TXT' ? txtRecord : (value: string) => value
  // A CNAME has one target.
  const records = (type === 'CNAME' ? values.slice(0, 1) : values).map(written)
  // Designate refuses a record that occurs twice.
  return [...new Map(records.map(record => [keyOf(type, record), record])).values()]
}

const withDot = (name: string): string => (name.endsWith('.') ? name : `${name}.`)

/** Returns a text that is equal for all spellings of a record. */
const keyOf = (type: string, record: string): string => {
  if (type === 'AAAA') return canonicalCidr(`${record}/128`)
  if (type === 'CNAME') return withDot(record.toLowerCase())
  return type === 'TXT' ? txtText(record) : record
}

const keysOf = ({ type, records }: Pick<PresentSet, 'type' | 'records'>): string =>
  JSON.stringify(records.map(record => keyOf(type, record)).sort())

/** Returns the change to the desired record set; undefined if there is none. The order of records has no meaning. */
export const changeTo = (
  desired: DesiredSet,
  present: PresentSet | undefined,
): RecordSetChange | undefined => {
  const isSame = present !== undefined && present.ttl === desired.ttl && keysOf(present) === keysOf(desired)
  const kind = present === undefined ? 'create' : 'update'
  return isSame ? undefined : { kind, present, sentence: `${kind} ${phrase(desired)}` }
}

/**
 * Returns the deletion of a record set with any values, as in the Go extension; undefined if there is none, or if
 * Designate deletes it already.
 */
export const deletionOf = (present: PresentSet | undefined): RecordSetChange | undefined =>
  present === undefined || (present.action === 'DELETE' && present.status !== 'ERROR')
    ? undefined
    : { kind: 'delete', present, sentence: `delete ${phrase(present)}` }

const phrase = ({ type, name, records }: Pick<PresentSet, 'type' | 'name' | 'records'>): string =>
  `${type} ${name} with ${records.join(', ')}`
