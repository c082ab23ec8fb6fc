import type { Change } from '@aws-sdk/client-route-53'
import { canonicalName, fatal, isProblem, isWithin, parseName } from '../name.ts'
import type { StoredRecordSet } from '../state.ts'
import { awsZones } from '../zones/aws-zones.ts'
import { counterpart, place, setsOf, takeOut } from './order.ts'
import { canonicalValue, valueProblem } from './record-value.ts'

/** The fields of a zone that a change batch uses. */
export interface BatchZone {
  readonly id: string
  readonly name: string
  readonly recordSets: readonly StoredRecordSet[]
}

export type BatchOutcome =
  | { readonly kind: 'applied'; readonly recordSets: readonly StoredRecordSet[] }
  | { readonly kind: 'refused'; readonly messages: readonly string[] }

const keyOf = (set: StoredRecordSet): string => `${set.Name} ${set.Type} ${set.SetIdentifier ?? ''}`

/** Returns a record set in the form in which Route 53 stores it. */
const stored = (set: NonNullable<Change['ResourceRecordSet']>): StoredRecordSet => ({
  ...set,
  Name: canonicalName(set.Name ?? ''),
  Type: set.Type ?? 'A',
  ...(set.AliasTarget
    ? { AliasTarget: { ...set.AliasTarget, DNSName: canonicalName(set.AliasTarget.DNSName ?? '') } }
    : {}),
})

/** Returns the content that a DELETE must match. The order of the values does not count. */
const fingerprint = (set: StoredRecordSet): string =>
  JSON.stringify([
    set.TTL,
    set.ResourceRecords?.map(record => canonicalValue(set.Type, record.Value ?? '')).sort(),
    [set.AliasTarget?.HostedZoneId, set.AliasTarget?.DNSName, set.AliasTarget?.EvaluateTargetHealth],
    [set.Weight, set.Region, set.Failover, set.MultiValueAnswer, set.HealthCheckId],
    [set.GeoLocation, set.GeoProximityLocation, set.CidrRoutingConfig, set.TrafficPolicyInstanceId],
  ])

/** `resource record set [name='a.example.com.', type='A']`, with the identifier if it exists. */
const described = (set: StoredRecordSet): string =>
  `resource record set [name='${set.Name}', type='${set.Type}'${set.SetIdentifier === undefined ? '' : `, set-identifier='${set.SetIdentifier}'`}]`

/**
 * "Number of records limit of 1000 exceeded." (cookpad/roadworker#92); an UPSERT counts twice ("Quotas", Developer
 * Guide).
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
 * One batch may delete and then create the same record set. Every other repetition is refused
 * (schwamster/serverless-certificate-creator#28).
 */
const repetitionProblems = (changes: readonly Change[]): string[] => {
  const actions = new Map<string, { set: StoredRecordSet; actions: string[] }>()
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

/** The name must be valid and in the zone ("RRSet with DNS name … is not permitted in zone …"). */
const nameProblems = (zone: BatchZone, set: StoredRecordSet): string[] => {
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

const valueProblems = (set: StoredRecordSet): string[] => {
  const values = (set.ResourceRecords ?? []).map(({ Value = '' }) => Value)
  const problems = values.flatMap(value => valueProblem(set.Type, value) ?? [])
  const canonical = values.map(value => canonicalValue(set.Type, value))
  const repeated = values.find((_, index) => canonical.indexOf(canonical[index] ?? '') !== index)
  // "Cannot have more than 100 records in a RRSet." (rancher/rancher#10253), when the quota was 100; now it is 400.
  const most = ['CNAME', 'SOA'].includes(set.Type) ? 1 : 400
  return [
    ...problems,
    ...(repeated === undefined ? [] : [`Duplicate Resource Record: '${repeated}'`]),
    ...(values.length > most ? [`Cannot have more than ${most} records in a RRSet.`] : []),
  ]
}

/**
 * AWS's own zones contain names with the prefix `dualstack.` or no prefix. The account's zone contains its records.
 */
const aliasProblems = (
  zone: BatchZone,
  set: StoredRecordSet,
  after: readonly StoredRecordSet[],
): string[] => {
  const target = set.AliasTarget
  if (!target) return []
  const name = parseName(target.DNSName ?? '')
  if (isProblem(name)) return [fatal(name)]
  const tried = `Tried to create an alias that targets ${name.text}, type ${set.Type} in zone ${target.HostedZoneId}`
  const suffix = target.HostedZoneId === zone.id ? zone.name : awsZones.get(target.HostedZoneId ?? '')
  const inside = suffix !== undefined && isWithin(name.text, suffix)
  const found =
    target.HostedZoneId === zone.id
      ? setsOf(after, name.text).some(other => other.Type === set.Type && other !== set)
      : inside
  return [
    ...(inside ? [] : [`${tried}, but the alias target name does not lie within the target zone`]),
    ...(found ? [] : [`${tried}, but that target was not found`]),
  ]
}

/**
 * A CNAME must be the only record set of its name. A simple record set cannot share its name and type with a routed
 * one.
 */
const conflictProblems = (
  zone: BatchZone,
  set: StoredRecordSet,
  neighbours: readonly StoredRecordSet[],
): string[] => {
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

/** The zone's own NS and SOA records must remain, and another SOA is refused. */
const apexProblems = (
  zone: BatchZone,
  after: readonly StoredRecordSet[],
  written: readonly StoredRecordSet[],
): string[] => {
  const apex = setsOf(after, zone.name).map(set => set.Type)
  const strayed = written.some(set => set.Type === 'SOA' && set.Name !== zone.name)
  return [
    ...(apex.includes('NS') ? [] : ['A HostedZone must contain at least one NS record for the zone itself.']),
    ...(apex.includes('SOA') && !strayed ? [] : ['A HostedZone must contain exactly one SOA record.']),
  ]
}

/** Applies one change to the working copy. Returns the reasons if it is refused. */
const applyChange = (sets: StoredRecordSet[], action: string | undefined, set: StoredRecordSet): string[] => {
  const current = counterpart(sets, set)
  if (action === 'DELETE') {
    if (!current) return [`Tried to delete ${described(set)} but it was not found`]
    if (fingerprint(current) !== fingerprint(set)) {
      return [`Tried to delete ${described(set)} but the values provided do not match the current values`]
    }
    takeOut(sets, set)
    return []
  }
  if (action === 'CREATE' && current) return [`Tried to create ${described(set)} but it already exists`]
  place(sets, set)
  return []
}

/**
 * Applies a change batch to the records of a zone. If one change is refused, nothing is applied and all reasons are
 * returned (awslabs/aws-sdk-kotlin#1435 shows a DELETE and a CREATE refused together).
 */
export const applyChangeBatch = (zone: BatchZone, changes: readonly Change[]): BatchOutcome => {
  const refused = (messages: readonly string[]): BatchOutcome => ({
    kind: 'refused',
    messages: [...new Set(messages)],
  })
  const early = [...limitProblems(changes), ...repetitionProblems(changes)]
  if (early.length > 0) return refused(early)

  const written = changes.flatMap(({ Action, ResourceRecordSet }) =>
    ResourceRecordSet ? [{ action: Action, set: stored(ResourceRecordSet) }] : [],
  )
  const made = written.filter(({ action }) => action !== 'DELETE').map(({ set }) => set)
  const unfit = [...written.flatMap(({ set }) => nameProblems(zone, set)), ...made.flatMap(valueProblems)]
  if (unfit.length > 0) return refused(unfit)

  const after = [...zone.recordSets]
  const problems = written.flatMap(({ action, set }) => applyChange(after, action, set))
  if (problems.length > 0) return refused(problems)

  const late = [
    ...made.flatMap(set => conflictProblems(zone, set, setsOf(after, set.Name))),
    ...made.flatMap(set => aliasProblems(zone, set, after)),
    ...apexProblems(zone, after, made),
  ]
  return late.length > 0 ? refused(late) : { kind: 'applied', recordSets: after }
}
