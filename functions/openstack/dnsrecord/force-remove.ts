import type { DNSRecord } from '../../../shared/contract/objects.ts'
import type { RecordLeft } from '../../../shared/dns-record/force-remove.ts'
import type { ZoneClearing } from './record-in-zone.ts'
import { zonesToClear } from './zones.ts'

/** Names the record of an object that may violate its schema, in each zone that may contain it. */
export const recordOrphans = (object: DNSRecord): readonly string[] => {
  const zones = zonesToClear(object)
  return zones.length === 0 ? [phrase(object)] : zones.map(zone => phrase(object, zone))
}

const phrase = ({ spec: { recordType, name } }: DNSRecord, zone?: string): string =>
  `${recordType} record ${name}${zone === undefined ? '' : ` in the zone ${zone}`}`

/** Returns the records that remain after their removal from the zones. */
export const leftIn = (object: DNSRecord, clearings: readonly ZoneClearing[]): readonly RecordLeft[] =>
  clearings.flatMap(({ zone, ...clearing }) =>
    clearing.kind === 'failed' ? [{ what: phrase(object, zone), why: { error: clearing.error } }] : [],
  )
