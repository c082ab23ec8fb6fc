import type { Change } from '@aws-sdk/client-route-53'
import { awsZones } from './alias-zones.ts'
import { canonicalName, fatal, isProblem, isWithin, parseName } from './name.ts'
import { place } from './order.ts'
import { canonicalValue, valueProblem } from './record-value.ts'
import type { RecordSet } from './state.ts'

/** The zone as far as a change batch looks at it. */
export interface BatchZone {
  readonly id: string
  readonly name: string
  readonly recordSets: readonly RecordSet[]
}

export type BatchOutcome =
  | { readonly kind: 'applied'; readonly recordSets: readonly RecordSet[] }
  | { readonly kind: 'refused'; readonly messages: readonly string[] }

const keyOf = (set: RecordSet): string => `${set.Name} ${set.Type} ${set.SetIdentifier ?? ''}`

/** A record set in the form in which Route 53 keeps it. */
const stored = (set: NonNullable<Change['ResourceRecordSet']>): RecordSet => ({
  ...set,
  Name: canonicalName(set.Name ?? ''),
  Type: set.Type ?? 'A',
  ...(set.AliasTarget
    ? { AliasTarget: { ...set.AliasTarget, DNSName: canonicalName(set.AliasTarget.DNSName ?? '') } }
    : {}),
})

/** All that counts when a DELETE must name the current values; the order of the values does not. */
const fingerprint = (set: RecordSet): string =>
  JSON.stringify([
    set.TTL,
    set.ResourceRecords?.map(record => canonicalValue(set.Type, record.Value ?? '')).sort(),
    [set.AliasTarget?.HostedZoneId, set.AliasTarget?.DNSName, set.AliasTarget?.EvaluateTargetHealth],
    [set.Weight, set.Region, set.Failover, set.MultiValueAnswer, set.HealthCheckId],
    [set.GeoLocation, set.GeoProximityLocation, set.CidrRoutingConfig, set.TrafficPolicyInstanceId],
  ])

/** `resource record set [name='a.example.com.', type='A']`, with the identifier where there is one. */
const described = (set: RecordSet): string =>
  `resource record set [name='${set.Name}', type='${set.Type}'${set.SetIdentifier === undefined ? '' : `, set-identifier='${set.SetIdentifier}'`}]`

/**
 * "Number of records limit of 1000 exceeded." (cookpad/roadworker#92); an UPSERT counts twice ("Quotas",
 * Developer Guide).
 */
const limitProblems = (changes: readonly Change[]): string[] => {
  let records = 0
  let characters = 0
  for (const { Action, ResourceRecordSet: set } of changes) {
    const factor = Action === 'UPSERT' ? 2 : 1
    const values = set?.ResourceRecords ?? []
    records += factor * Math.max(values.length, 1)
    characters += factor * values.reduce((sum, { Value = '' }) => sum + Value.length, 0)
  }
  return [
    ...(records > 1000 ? ['Number of records limit of 1000 exceeded.'] : []),
    ...(characters > 32_000 ? ['Number of characters limit of 32000 exceeded.'] : []),
  ]
}

/**
 * One record set may be deleted and created in one batch, in this order; every other repetition is refused
 * (schwamster/serverless-certificate-creator#28).
 */
const repetitionProblems = (changes: readonly Change[]): string[] => {
  const actions = new Map<string, { set: RecordSet; actions: string[] }>()
  for (const { Action, ResourceRecordSet: set } of changes) {
    if (!set) continue
    const entry = { set: stored(set), actions: [] as string[] }
    const key = keyOf(entry.set)
    const known = actions.get(key) ?? entry
    actions.set(key, known)
    known.actions.push(Action ?? '')
  }
  return [...actions.values()]
    .filter(entry => entry.actions.length > 1 && entry.actions.join(' ') !== 'DELETE CREATE')
    .map(
      ({ set }) =>
        `The request contains an invalid set of changes for a resource record set '${set.Type} ${set.Name}'`,
    )
}

/** A name that is one and lies in the zone ("RRSet with DNS name … is not permitted in zone …"). */
const nameProblems = (zone: BatchZone, set: RecordSet): string[] => {
  const name = parseName(set.Name)
  if (isProblem(name)) return [fatal(name)]
  if (!isWithin(set.Name, zone.name)) {
    return [`RRSet with DNS name ${set.Name} is not permitted in zone ${zone.name}`]
  }
  if (set.Type === 'CNAME' && set.Name === zone.name) {
    return [`RRSet of type CNAME with DNS name ${set.Name} is not permitted at apex in zone ${zone.name}`]
  }
  return []
}

const valueProblems = (set: RecordSet): string[] => {
  const values = (set.ResourceRecords ?? []).map(({ Value = '' }) => Value)
  const problems = values.flatMap(value => valueProblem(set.Type, value) ?? [])
  const canonical = values.map(value => canonicalValue(set.Type, value))
  const repeated = values.find((_, index) => canonical.indexOf(canonical[index] ?? '') !== index)
  // "Cannot have more than 100 records in a RRSet." (rancher/rancher#10253), when the quota was 100; now 400.
  const most = ['CNAME', 'SOA'].includes(set.Type) ? 1 : 400
  return [
    ...problems,
    ...(repeated === undefined ? [] : [`Duplicate Resource Record: '${repeated}'`]),
    ...(values.length > most ? [`Cannot have more than ${most} records in a RRSet.`] : []),
  ]
}

/** AWS's own zones hold names that begin with `dualstack.` or nothing; the account's zone holds its records. */
const aliasProblems = (zone: BatchZone, set: RecordSet, after: readonly RecordSet[]): string[] => {
  const target = set.AliasTarget
  if (!target) return []
  const name = parseName(target.DNSName ?? '')
  if (isProblem(name)) return [fatal(name)]
  const tried = `Tried to create an alias that targets ${name.text}, type ${set.Type} in zone ${target.HostedZoneId}`
  const suffix = target.HostedZoneId === zone.id ? zone.name : awsZones.get(target.HostedZoneId ?? '')
  const inside = suffix !== undefined && isWithin(name.text, suffix)
  const found =
    target.HostedZoneId === zone.id
      ? after.some(other => other.Name === name.text && other.Type === set.Type && other !== set)
      : inside
  return [
    ...(inside ? [] : [`${tried}, but the alias target name does not lie within the target zone`]),
    ...(found ? [] : [`${tried}, but that target was not found`]),
  ]
}

/** A CNAME stands alone, and a simple record set does not share its name and type with a routed one. */
const conflictProblems = (zone: BatchZone, set: RecordSet, neighbours: readonly RecordSet[]): string[] => {
  const others = neighbours.filter(other => other !== set)
  const foreign = others.filter(other => other.Type !== set.Type)
  if (set.Type === 'CNAME' && foreign.length > 0) {
    return [
      `RRSet of type CNAME with DNS name ${set.Name} is not permitted as it conflicts with other records with the same DNS name in zone ${zone.name}`,
    ]
  }
  if (foreign.some(other => other.Type === 'CNAME')) {
    return [
      `RRSet of type ${set.Type} with DNS name ${set.Name} is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone ${zone.name}`,
    ]
  }
  const same = others.filter(other => other.Type === set.Type)
  return same.some(other => (other.SetIdentifier === undefined) !== (set.SetIdentifier === undefined))
    ? [
        `RRSet with DNS name ${set.Name}, type ${set.Type}${set.SetIdentifier === undefined ? '' : `, SetIdentifier ${set.SetIdentifier}`} cannot be created as other RRSets exist with the same name and type.`,
      ]
    : []
}

const apexProblems = (zone: BatchZone, after: readonly RecordSet[]): string[] => {
  const types = after.filter(set => set.Name === zone.name).map(set => set.Type)
  const soas = after.filter(set => set.Type === 'SOA')
  return [
    ...(types.includes('NS')
      ? []
      : ['A HostedZone must contain at least one NS record for the zone itself.']),
    ...(soas.length === 1 && types.includes('SOA')
      ? []
      : ['A HostedZone must contain exactly one SOA record.']),
  ]
}

/** Applies one change to the working copy (by key), and says why not. */
const applyChange = (records: Map<string, RecordSet>, change: Change, set: RecordSet): string[] => {
  const key = keyOf(set)
  const current = records.get(key)
  switch (change.Action) {
    case 'DELETE':
      if (!current) return [`Tried to delete ${described(set)} but it was not found`]
      if (fingerprint(current) !== fingerprint(set)) {
        return [`Tried to delete ${described(set)} but the values provided do not match the current values`]
      }
      records.delete(key)
      return []
    case 'CREATE':
      if (current) return [`Tried to create ${described(set)} but it already exists`]
      records.set(key, set)
      return []
    default:
      records.set(key, set)
      return []
  }
}

/** What the finished zone must satisfy at the names that the batch wrote, and at its apex. */
const stateProblems = (
  zone: BatchZone,
  made: readonly RecordSet[],
  after: ReadonlyMap<string, RecordSet>,
): string[] => {
  const names = new Set(made.flatMap(set => [set.Name, set.AliasTarget?.DNSName]))
  const near = Map.groupBy(
    [...after.values()].filter(set => names.has(set.Name)),
    set => set.Name,
  )
  return [
    ...made.flatMap(set => conflictProblems(zone, set, near.get(set.Name) ?? [])),
    ...made.flatMap(set => aliasProblems(zone, set, near.get(set.AliasTarget?.DNSName ?? '') ?? [])),
    ...apexProblems(zone, [...after.values()]),
  ]
}

/** The records in order after the batch: what is gone taken out, what was written put in its place. */
const ordered = (
  before: readonly RecordSet[],
  made: readonly RecordSet[],
  after: ReadonlyMap<string, RecordSet>,
): RecordSet[] => {
  const sets = before.filter(set => after.has(keyOf(set)))
  for (const set of made) place(sets, set)
  return sets
}

/**
 * Applies a change batch to the records of a zone: all of it, or nothing and all reasons why
 * (awslabs/aws-sdk-kotlin#1435 shows a DELETE and a CREATE refused together).
 */
export const applyBatch = (zone: BatchZone, changes: readonly Change[]): BatchOutcome => {
  const refused = (messages: readonly string[]): BatchOutcome => ({
    kind: 'refused',
    messages: [...new Set(messages)],
  })
  const early = [...limitProblems(changes), ...repetitionProblems(changes)]
  if (early.length > 0) return refused(early)

  const written = changes.flatMap(change =>
    change.ResourceRecordSet ? [{ change, set: stored(change.ResourceRecordSet) }] : [],
  )
  const made = written.filter(({ change }) => change.Action !== 'DELETE').map(({ set }) => set)
  const unfit = [...written.flatMap(({ set }) => nameProblems(zone, set)), ...made.flatMap(valueProblems)]
  if (unfit.length > 0) return refused(unfit)

  const records = new Map(zone.recordSets.map(set => [keyOf(set), set]))
  const problems = written.flatMap(({ change, set }) => applyChange(records, change, set))
  if (problems.length > 0) return refused(problems)

  const late = stateProblems(zone, made, records)
  return late.length > 0
    ? refused(late)
    : { kind: 'applied', recordSets: ordered(zone.recordSets, made, records) }
}
