import * as z from 'zod'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import type { Problem } from '../../../shared/decode/problems.ts'

/** A zone of the project. `name` ends with a dot. */
export interface DesignateZone {
  readonly id: string
  readonly name: string
  /** The last change: `DELETE` while Designate deletes the zone. */
  readonly action?: string | undefined
}

/** A zone for a record, and where its id comes from. */
export interface ChosenZone {
  readonly id: string
  readonly origin: 'spec.zone' | 'status.zone' | 'status.state' | 'the zones of the project'
  /** The ids of all zones of this name, if there are several. */
  readonly among?: readonly string[]
}

const stateSchema = z.object({
  kind: z.literal('DNSRecordState'),
  /** Every zone that may contain the record. */
  zones: z.array(z.string()),
  /** The id of the project whose credentials wrote the record. */
  project: z.string().optional(),
})

/** Reads `status.state`, which survives a move to another seed. The Go extension has none and ignores it. */
export const memoryOf = (state: unknown): Partial<z.infer<typeof stateSchema>> =>
  stateSchema.safeParse(state).data ?? {}

export const stateOf = (zones: readonly string[], project?: string) => ({
  apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecordState',
  zones,
  ...(project !== undefined && { project }),
})

/** The id becomes part of a URL. */
const isZoneId = (id: string): boolean => /^[\w-]{1,64}$/.test(id)

export const zoneProblems = (zone: string | undefined): readonly Problem[] =>
  zone && !isZoneId(zone)
    ? [
        {
          path: 'spec.zone',
          message: `expected the id of a Designate zone, such as a86dba58-0043-4cc6-a1bb-69d5e86f3ca3, found ${JSON.stringify(zone)}`,
        },
      ]
    : []

type Zoned = Pick<DNSRecord, 'spec' | 'status'>

/** Returns the ids of all zones that may contain the record, the oldest first. */
export const knownZones = ({ status }: Zoned): readonly string[] => {
  const { zones = [] } = memoryOf(status?.state)
  return [...new Set([...zones, ...(status?.zone ? [status.zone] : [])])].filter(isZoneId)
}

/**
 * Returns the zone that the object names: `spec.zone`, otherwise that of its last success. A restored object has it
 * only in its state.
 */
export const namedZone = (object: Zoned, isRestored: boolean): ChosenZone | undefined => {
  const { spec, status } = object
  if (spec.zone && isZoneId(spec.zone)) return { id: spec.zone, origin: 'spec.zone' }
  if (status?.zone && isZoneId(status.zone)) return { id: status.zone, origin: 'status.zone' }
  const last = isRestored ? knownZones(object).at(-1) : undefined
  return last === undefined ? undefined : { id: last, origin: 'status.state' }
}

/**
 * Returns the zones from which a deletion removes the record, the current one last. A state names all zones that a step
 * was about to change. Without one, a step may have changed the one of the spec. Empty: the object names none.
 */
export const zonesToClear = (object: Zoned): readonly string[] => {
  const known = knownZones(object)
  const named = namedZone(object, true)?.id
  const hasState = memoryOf(object.status?.state).zones !== undefined
  if (named === undefined || (hasState && !known.includes(named))) return known
  return [...known.filter(id => id !== named), named]
}

/**
 * Returns the zone with the longest name that equals the record's name or a suffix of it, label by label. Pools and
 * shares can give a project several zones of one name: then it is one that may contain the record already, else the
 * one with the lowest id. A zone that Designate deletes is none.
 *
 * @param name with a dot at the end
 */
export const chooseZone = (
  name: string,
  zones: readonly DesignateZone[],
  known: readonly string[],
): ChosenZone => {
  const isWithin = (zone: string) => name === zone || name.endsWith(`.${zone}`)
  const fitting = zones.filter(zone => zone.action !== 'DELETE' && isWithin(zone.name.toLowerCase()))
  const longest = Math.max(...fitting.map(zone => zone.name.length))
  const rank = (id: string) => (known.includes(id) ? 0 : 1)
  const among = fitting
    .filter(zone => zone.name.length === longest)
    .map(({ id }) => id)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const [id] = among
  if (id === undefined)
    throw configurationProblem(
      `cannot choose the zone of ${name.slice(0, -1)}: the project has no zone whose name is a suffix of it. Create one, or set spec.zone`,
    )
  return { id, origin: 'the zones of the project', ...(among.length > 1 && { among }) }
}
