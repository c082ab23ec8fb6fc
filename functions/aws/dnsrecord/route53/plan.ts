import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Problem } from '../../../../shared/decode/problems.ts'
import type { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { aliasSuffixOf } from './alias-targets.ts'
import {
  type AliasTarget,
  addressKey,
  canonicalName,
  type HostedZone,
  isWithin,
  type RecordChange,
  type RecordSet,
  type RecordWindow,
  sameName,
  txtKey,
  txtValue,
} from './route53.ts'

/** The source of a hosted zone id. */
export type ZoneOrigin = 'spec.zone' | 'status.zone' | 'the hosted zones of the account'

/** `id` as spelled by the object or listed by Route 53. */
export interface RecordZone {
  readonly id: string
  readonly origin: ZoneOrigin
}

export interface NamedZones {
  readonly spec: string | undefined
  readonly status: string | undefined
}

/**
 * Returns the zone that the object names: `spec.zone`, otherwise `status.zone`. Ignores an invalid id, because it
 * cannot contain a record.
 */
export const namedZone = ({ spec, status }: NamedZones): RecordZone | undefined => {
  if (spec && isZoneId(spec)) return { id: spec, origin: 'spec.zone' }
  return status && isZoneId(status) ? { id: status, origin: 'status.zone' } : undefined
}

/** Returns the recorded zone of a record that another zone contains now, or undefined if the record did not move. */
export const formerZone = (zone: RecordZone, { status }: NamedZones): RecordZone | undefined =>
  status && isZoneId(status) && bareId(status) !== bareId(zone.id)
    ? { id: status, origin: 'status.zone' }
    : undefined

const bareId = (id: string): string => id.replace('/hostedzone/', '')

/** Returns the zone of the account that contains the name, or undefined if there is none. */
export const listedZone = (name: string, zones: readonly HostedZone[]): RecordZone | undefined => {
  const zone = chooseZone(name, zones)
  return zone && { id: zone.id, origin: 'the hosted zones of the account' }
}

export const noZone = (name: string): CodedError =>
  new CodedError(
    `cannot choose the hosted zone of ${name}: the account has no zone whose name is a suffix of it. Create one, or set spec.zone`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )

export const zoneProblems = (zone: string | undefined): readonly Problem[] =>
  zone && !isZoneId(zone)
    ? [
        {
          path: 'spec.zone',
          message: `expected the id of a Route 53 hosted zone (up to 32 letters and digits), found ${JSON.stringify(zone)}`,
        },
      ]
    : []

/** The id becomes part of a URL. */
const isZoneId = (id: string): boolean => /^(?:\/hostedzone\/)?[A-Za-z0-9]{1,32}$/.test(id)

/**
 * Returns the zone with the longest name that equals the record's name or a suffix of it, label by label. Like
 * the Go extension, returns the last of several zones with the same name, such as a public and a private one
 * (docs/contract/provider-aws.md#hosted-zone).
 */
export const chooseZone = (name: string, zones: readonly HostedZone[]): HostedZone | undefined => {
  let chosen: { readonly zone: HostedZone; readonly length: number } | undefined
  for (const zone of zones) {
    const { length } = canonicalName(zone.name)
    if (isWithin(name, zone.name) && (chosen === undefined || length >= chosen.length))
      chosen = { zone, length }
  }
  return chosen?.zone
}

export const isMissingZone = ({ code }: AwsError): boolean => code === 'NoSuchHostedZone'

/** Returns true if a zone was deleted, or if it belongs to another account and the credentials have changed to this one. */
export const isUnreachableZone = (error: AwsError): boolean =>
  isMissingZone(error) || error.code === 'AccessDenied' || error.code === 'AccessDeniedException'

/** "RRSet with DNS name a.b. is not permitted in zone c." in an InvalidChangeBatch. */
const isNotPermitted = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && /RRSet with DNS name \S+ is not permitted in zone/.test(message)

/** Returns true if the record set to delete was deleted since it was read. */
export const isAlreadyGone = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && message.includes('it was not found')

/** Returns true if the record set to delete was changed since it was read. */
export const isChangedMeanwhile = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && message.includes('the values provided do not match the current values')

/**
 * Returns an error that the user must fix, if the zone is missing or cannot contain the record. Otherwise returns
 * undefined.
 */
export const zoneError = (error: AwsError, origin: ZoneOrigin): CodedError | undefined => {
  if (!isMissingZone(error) && !isNotPermitted(error)) return undefined
  return new CodedError(`${error.message}${/[.!?]$/.test(error.message) ? '' : '.'} ${advice[origin]}`, {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    cause: error,
  })
}

const advice: Readonly<Record<ZoneOrigin, string>> = {
  'spec.zone':
    'Set spec.zone to a hosted zone that contains this name, or remove it to select the zone by name.',
  'status.zone': 'The zone comes from status.zone. Set spec.zone to a hosted zone that contains this name.',
  'the hosted zones of the account': 'Set spec.zone to a hosted zone that contains this name.',
}

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
