import type { DNSRecord } from '../../../shared/contract/objects.ts'
import type { RecordLeft } from '../../../shared/dns-record/force-remove.ts'
import { recordedIn, type ZoneRemoval, zonesToClear } from './route53/dns.ts'

/** Log message for a record that cannot be removed. */
export const recordLeft =
  'dns record may remain in a hosted zone that is not in the account of the credentials'

/** Names the record of an object that may violate its schema, in each zone that may contain it. */
export const recordOrphans = ({ spec, status }: DNSRecord): readonly string[] => {
  const zones = zonesToClear({
    spec: spec.zone,
    status: status?.zone,
    recorded: recordedIn(status?.state),
  }).map(({ id }) => id)
  return zones.length === 0 ? [phrase(spec)] : zones.map(zone => phrase(spec, zone))
}

const phrase = ({ recordType, name }: DNSRecord['spec'], zone?: string): string =>
  `${recordType} record ${name}${zone === undefined ? '' : ` in the hosted zone ${zone}`}`

/** Returns the records that remain after their removal from the zones. */
export const leftIn = (spec: DNSRecord['spec'], removals: readonly ZoneRemoval[]): readonly RecordLeft[] =>
  removals.flatMap(removal => {
    if (removal.kind === 'removed' || removal.kind === 'zone gone') return []
    const why = removal.kind === 'failed' ? { error: removal.error } : recordLeft
    return [{ what: phrase(spec, removal.zone), why }]
  })
