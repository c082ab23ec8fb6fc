import { aliasSuffixOf } from './alias-targets.ts'
import type { AliasTarget, RecordChange, RecordSet, RecordWindow } from './route53.ts'
import { addressKey, canonicalName, sameName, txtKey, txtValue } from './spelling.ts'

/** Which address families an alias answers for. */
export type IpStack = 'ipv4' | 'ipv6' | 'dual-stack'

/** What a DNSRecord asks for. */
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
 * The record sets that are desired of a record (docs/contract/provider-aws.md#record-sets): one with all the values; for a
 * CNAME one with the first value only, or, when that is an AWS endpoint with a known suffix, alias sets of the desired
 * families. Values that mean the same are given once, because Route 53 refuses duplicates.
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

/** A change, and the sentence that says it to people. */
export interface PlannedChange extends RecordChange {
  readonly sentence: string
}

/** A change of Route 53, and what it replaces. */
export interface RecordAction extends PlannedChange {
  /** What is there now; undefined: nothing. */
  readonly present: RecordSet | undefined
}

/** What to list so that a plan sees every record set it may have to touch. */
export const windowFor = ({ name, type }: DesiredRecord): RecordWindow =>
  type === 'CNAME' ? { name } : { name, fromType: type }

/**
 * The changes that make a record as it is desired, for one batch; empty when nothing differs. What was written last time in the
 * other form (a CNAME that is now an alias or the reverse, the alias of a family that is no longer desired) is deleted
 * in the same batch, because Route 53 keeps no CNAME next to other types. A record set that is not ours stays, and
 * Route 53's refusal is the answer.
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

/** The changes that remove whatever there is of a record, exactly as it is there; empty when there is nothing. */
export const planRemoval = (
  record: DesiredRecord,
  observed: readonly RecordSet[],
): readonly PlannedChange[] => ours(record, observed).map(deletion)

/** The changes that make a record as it is desired or, with `destroy`, remove it; each with what it replaces. */
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
 * The record sets of the name that belong to the record: those of its type whatever they hold (as the Go extension
 * has it), and for a CNAME the aliases to AWS endpoints that a CNAME turns into.
 */
const ours = (record: DesiredRecord, observed: readonly RecordSet[]): readonly RecordSet[] =>
  observed.filter(
    set =>
      isSimple(record, set) &&
      (set.type === record.type || (record.type === 'CNAME' && isOwnAlias(record, set))),
  )

const isSimple = (record: DesiredRecord, set: RecordSet): boolean =>
  set.setIdentifier === undefined && sameName(set.name, record.name)

/** The present value counts too: an alias of the Go extension, with a suffix of AWS that only it knows. */
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
 * Whether what is there already is what is wanted, however Route 53 spells it: names in lower case with a trailing
 * dot and octal escapes, values in any order, alias sets without TTL.
 */
export const sameRecordSet = (wanted: RecordSet, there: RecordSet): boolean => {
  if (wanted.type !== there.type || !sameName(wanted.name, there.name)) return false
  if (there.setIdentifier !== undefined) return false
  if (wanted.alias || there.alias) return sameAlias(wanted.alias, there.alias)
  return wanted.ttl === there.ttl && keysOf(wanted) === keysOf(there)
}

const sameAlias = (wanted: AliasTarget | undefined, there: AliasTarget | undefined): boolean => {
  if (!wanted || !there) return false
  // CloudFront takes no health evaluation: what the Go extension sent there, and AWS made of it, is no difference.
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
