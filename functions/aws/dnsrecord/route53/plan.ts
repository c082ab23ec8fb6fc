import { aliasSuffixOf } from './alias-targets.ts'
import type { AliasTarget, RecordChange, RecordSet, RecordWindow } from './route53.ts'
import { addressKey, canonicalName, sameName, txtKey, txtValue } from './spelling.ts'

export type IpStack = 'ipv4' | 'ipv6' | 'dual-stack'

export interface DesiredRecord {
  /** The fully qualified domain name. */
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT'
  readonly values: readonly string[]
  /** Seconds. */
  readonly ttl: number
  readonly ipStack: IpStack
}

/**
 * Returns the desired record sets of a record (docs/contract/provider-aws.md#record-sets): one with all values; for a
 * CNAME one with only the first value or, if that is an AWS endpoint with a known suffix, alias sets of the desired
 * families. Removes duplicate values, because Route 53 refuses them.
 */
export const desiredRecordSets = (record: DesiredRecord): readonly RecordSet[] => {
  const { name, type, values, ttl } = record
  switch (type) {
    case 'A':
    case 'AAAA':
      return [{ name, type, ttl, values: once(values, addressKey) }]
    case 'TXT':
      return [{ name, type, ttl, values: once(values.map(txtValue), txtKey) }]
    case 'CNAME': {
      const [target] = values
      if (target === undefined) return []
      const suffix = aliasSuffixOf(target)
      if (suffix === undefined) return [{ name, type, ttl, values: [target] }]
      const alias = {
        dnsName: target,
        hostedZoneId: suffix.hostedZoneId,
        evaluateTargetHealth: suffix.health,
      }
      return families[record.ipStack].map(family => ({ name, type: family, alias }))
    }
  }
}

const families: Readonly<Record<IpStack, readonly string[]>> = {
  ipv4: ['A'],
  ipv6: ['AAAA'],
  'dual-stack': ['A', 'AAAA'],
}

const once = (values: readonly string[], key: (value: string) => string): string[] => [
  ...new Map(values.map(value => [key(value), value])).values(),
]

/** A change with a description for users. */
export interface PlannedChange extends RecordChange {
  readonly sentence: string
}

/** A change in Route 53 and the record set that it replaces. */
export interface RecordAction extends PlannedChange {
  /** The present record set. Undefined: none. */
  readonly present: RecordSet | undefined
}

/** Returns true if the changes of a record depend on what is there: a CNAME may have an earlier form to delete. */
export const needsRead = ({ type }: DesiredRecord): boolean => type === 'CNAME'

/** Returns true if these deletions leave nothing of a record: nothing is beside a CNAME, and each type exists once. */
export const isWholeRecord = ({ type }: DesiredRecord, deleted: readonly RecordChange[]): boolean =>
  type !== 'CNAME' || deleted.some(({ set }) => set.type === 'CNAME') || deleted.length > 1

/** Returns the part of the list that contains all record sets a plan may change. */
export const windowFor = ({ name, type }: DesiredRecord): RecordWindow =>
  type === 'CNAME' ? { name } : { name, fromType: type }

/**
 * Returns the changes for a desired record in one batch; empty if nothing differs. Deletes its earlier form in the same
 * batch (a CNAME that is now an alias or the reverse, the alias of a family that is no longer desired), because Route
 * 53 allows no CNAME next to other types. A record set that is not ours stays, and Route 53 then refuses the batch.
 */
export const planRecord = (
  record: DesiredRecord,
  observed: readonly RecordSet[],
): readonly PlannedChange[] => {
  const desired = desiredRecordSets(record)
  const left = ours(record, observed).filter(set => !desired.some(({ type }) => type === set.type))
  const missing = desired.filter(set => !observed.some(there => sameRecordSet(set, there)))
  return [
    ...left.map(deletion),
    ...missing.map((set): PlannedChange => {
      const exists = observed.some(there => there.type === set.type && isSimple(record, there))
      return { action: 'UPSERT', set, sentence: `${exists ? 'change' : 'create'} ${phrase(set)}` }
    }),
  ]
}

/** Returns the changes that remove all record sets of a record with their present values; empty if there are none. */
export const planRemoval = (
  record: DesiredRecord,
  observed: readonly RecordSet[],
): readonly PlannedChange[] => ours(record, observed).map(deletion)

/**
 * Returns the changes for a desired record or, with `destroy`, its removal. Each includes the record set that it
 * replaces.
 */
export const planActions = (
  record: DesiredRecord,
  observed: readonly RecordSet[],
  destroy: boolean,
): readonly RecordAction[] =>
  (destroy ? planRemoval : planRecord)(record, observed).map(change => ({
    ...change,
    present: presentOf(change, observed),
  }))

const presentOf = ({ set }: PlannedChange, observed: readonly RecordSet[]): RecordSet | undefined =>
  observed.find(
    ({ type, name, setIdentifier }) =>
      type === set.type && setIdentifier === undefined && sameName(name, set.name),
  )

/**
 * Returns the record sets of the name that belong to the record: those of its type with any value (as in the Go
 * extension), and for a CNAME also its possible aliases to AWS endpoints.
 */
const ours = (record: DesiredRecord, observed: readonly RecordSet[]): readonly RecordSet[] =>
  observed.filter(
    set =>
      isSimple(record, set) &&
      (set.type === record.type || (record.type === 'CNAME' && isOwnAlias(record, set))),
  )

const isSimple = (record: DesiredRecord, set: RecordSet): boolean =>
  set.setIdentifier === undefined && sameName(set.name, record.name)

/** Also compares the value: an alias by the Go extension may have an AWS suffix that only it knows. */
const isOwnAlias = ({ values }: DesiredRecord, { type, alias }: RecordSet): boolean => {
  if (alias === undefined || (type !== 'A' && type !== 'AAAA')) return false
  const suffix = aliasSuffixOf(canonicalName(alias.dnsName))
  const [target] = values
  return (
    suffix?.hostedZoneId === alias.hostedZoneId || (target !== undefined && sameName(target, alias.dnsName))
  )
}

const deletion = (set: RecordSet): PlannedChange => ({
  action: 'DELETE',
  set,
  sentence: `delete ${phrase(set)}`,
})

const phrase = ({ type, name, alias, values = [] }: RecordSet): string =>
  alias ? `${type} alias ${name} to ${alias.dnsName}` : `${type} ${name} with ${values.join(', ')}`

/**
 * Returns true if two record sets are equal in any spelling of Route 53: names in lower case with a trailing dot and
 * octal escapes, values in any order, alias sets without TTL.
 */
const sameRecordSet = (wanted: RecordSet, there: RecordSet): boolean => {
  if (wanted.type !== there.type || !sameName(wanted.name, there.name)) return false
  if (there.setIdentifier !== undefined) return false
  if (wanted.alias || there.alias) return sameAlias(wanted.alias, there.alias)
  return wanted.ttl === there.ttl && keysOf(wanted) === keysOf(there)
}

const sameAlias = (wanted: AliasTarget | undefined, there: AliasTarget | undefined): boolean => {
  if (!wanted || !there) return false
  // CloudFront has no health evaluation, so a value that the Go extension sent there is no difference.
  const health =
    aliasSuffixOf(wanted.dnsName)?.health === false ||
    wanted.evaluateTargetHealth === there.evaluateTargetHealth
  return health && wanted.hostedZoneId === there.hostedZoneId && sameName(wanted.dnsName, there.dnsName)
}

const keysOf = ({ type, values = [] }: RecordSet): string =>
  JSON.stringify([...new Set(values.map(value => keyOf(type, value)))].sort())

const keyOf = (type: string, value: string): string => {
  switch (type) {
    case 'A':
    case 'AAAA':
      return addressKey(value)
    case 'CNAME':
      return canonicalName(value)
    case 'TXT':
      return txtKey(value)
    default:
      return value
  }
}

/**
 * Route 53 accepts 1,000 values and 32,000 characters of values in a request, and counts those of an UPSERT twice
 * ("Quotas", Developer Guide).
 */
const mostValues = 1_000
const mostCharacters = 32_000

/**
 * Returns the number of records, from the first on, whose changes fit into one batch. Route 53 refuses a batch with two
 * changes of a name.
 */
export const changesThatFit = (records: readonly (readonly RecordChange[])[]): number => {
  let values = 0
  let characters = 0
  const names = new Set<string>()
  const over = records.findIndex(changes => {
    const own = new Set(changes.map(({ set }) => canonicalName(set.name)))
    for (const name of own) {
      if (names.has(name)) return true
      names.add(name)
    }
    for (const { action, set } of changes) {
      const times = action === 'UPSERT' ? 2 : 1
      values += times * Math.max(set.values?.length ?? 0, 1)
      characters += times * (set.values ?? []).reduce((sum, value) => sum + value.length, 0)
    }
    return values > mostValues || characters > mostCharacters
  })
  return over === -1 ? records.length : over
}
