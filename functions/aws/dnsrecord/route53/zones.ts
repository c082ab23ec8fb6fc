import * as z from 'zod'
import { type CodedError, configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Problem } from '../../../../shared/decode/problems.ts'
import type { HostedZone } from './route53.ts'
import { canonicalName, isWithin } from './spelling.ts'

/** The zones that an object names. */
export interface NamedZones {
  readonly spec: string | undefined
  readonly status: string | undefined
  /** Zones that may contain the record, from the state. Absent: an earlier version or another extension wrote it. */
  readonly recorded?: readonly string[] | undefined
}

/** The source of a hosted zone id. */
export type ZoneOrigin = 'spec.zone' | 'status.zone' | 'status.state' | 'the hosted zones of the account'

/** `id` as spelled by the object or listed by Route 53. */
export interface RecordZone {
  readonly id: string
  readonly origin: ZoneOrigin
  /** The zones of the same name from which it was chosen, itself included. */
  readonly among?: readonly HostedZone[]
}

const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'

/** `status.state`, which survives a move to another seed: every zone that may contain the record. */
export const stateOf = (zones: readonly string[]) => ({
  apiVersion,
  kind: 'DNSRecordState',
  zones: zones.map(bareId),
})

const recordState = z.object({ kind: z.literal('DNSRecordState'), zones: z.array(z.string()) })

/** Returns the zones of a state, or undefined if it is not one of ours. */
export const recordedIn = (state: unknown): readonly string[] | undefined => {
  const parsed = recordState.safeParse(state)
  return parsed.success ? parsed.data.zones : undefined
}

/**
 * Returns the zone that the object names: `spec.zone`, otherwise that of its last success. A restored object has it
 * only in its state. Ignores an invalid id, because it cannot contain a record.
 */
export const namedZone = (
  { spec, status, recorded = [] }: NamedZones,
  isRestored: boolean,
): RecordZone | undefined => {
  if (spec && isZoneId(spec)) return { id: spec, origin: 'spec.zone' }
  if (status && isZoneId(status)) return { id: status, origin: 'status.zone' }
  const [first] = isRestored ? recorded.filter(isZoneId) : []
  return first === undefined ? undefined : { id: first, origin: 'status.state' }
}

/** Returns the ids of all zones that may contain the record, the oldest first. */
export const knownZones = ({ status, recorded = [] }: NamedZones): readonly string[] => [
  ...new Set([...recorded, ...(status ? [status] : [])].filter(isZoneId).map(bareId)),
]

/** Returns the zones other than this one that may contain the record. */
export const formerZones = (zone: RecordZone, zones: NamedZones): readonly RecordZone[] =>
  knownZones(zones)
    .filter(id => id !== bareId(zone.id))
    .map(id => ({ id, origin: 'status.state' }))

/**
 * Returns the zones from which a deletion removes the record, the current one last. A state names all zones that a step
 * was about to change. Without one, a step may have changed the one of the spec. Empty: the object names none.
 */
export const zonesToClear = (zones: NamedZones): readonly RecordZone[] => {
  const known = knownZones(zones)
  const named = namedZone(zones, true)
  const isCurrent = named !== undefined && (zones.recorded === undefined || known.includes(bareId(named.id)))
  const former = known.filter(id => !isCurrent || id !== bareId(named.id))
  return [...former.map((id): RecordZone => ({ id, origin: 'status.state' })), ...(isCurrent ? [named] : [])]
}

/** `/hostedzone/Z1` and `Z1` are the same zone. */
export const bareId = (id: string): string => id.replace('/hostedzone/', '')

/** The id becomes part of a URL. */
const isZoneId = (id: string): boolean => /^(?:\/hostedzone\/)?[A-Za-z0-9]{1,32}$/.test(id)

export const zoneProblems = (zone: string | undefined): readonly Problem[] =>
  zone && !isZoneId(zone)
    ? [
        {
          path: 'spec.zone',
          message: `expected the id of a Route 53 hosted zone (up to 32 letters and digits), found ${JSON.stringify(zone)}`,
        },
      ]
    : []

/**
 * Returns the zone with the longest name that equals the record's name or a suffix of it, label by label. If several
 * have this name, returns one that may contain the record already; else a public one, because clients outside of a VPC
 * need the records; else the one with the lowest id, so that no order of a list decides
 * (docs/contract/provider-aws.md#hosted-zone).
 */
export const chooseZone = (
  name: string,
  zones: readonly HostedZone[],
  known: readonly string[] = [],
): RecordZone | undefined => {
  const fitting = zones.filter(zone => isWithin(name, zone.name))
  const longest = Math.max(...fitting.map(zone => canonicalName(zone.name).length))
  const rank = ({ id, isPrivate }: HostedZone) => (known.includes(id) ? 0 : isPrivate ? 2 : 1)
  const among = fitting
    .filter(zone => canonicalName(zone.name).length === longest)
    .toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
  const [chosen] = among
  if (chosen === undefined) return undefined
  return { id: chosen.id, origin: 'the hosted zones of the account', ...(among.length > 1 && { among }) }
}

export const noZone = (name: string): CodedError =>
  configurationProblem(
    `cannot choose the hosted zone of ${name}: the account has no zone whose name is a suffix of it. Create one, or set spec.zone`,
  )
