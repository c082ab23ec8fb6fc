import ipaddr from 'ipaddr.js'
import type { NameServerClient } from './client.ts'
import { plainName, type ReplyRecord, sameName } from './message.ts'
import type { DesiredRecords, RecordKey } from './record-key.ts'

interface RecordStep {
  readonly signal: AbortSignal
  /** Called right before each write. */
  readonly throwIfExpired: () => void
}

/**
 * Ensures the records. Writes nothing if the server already has them. Throws if the server accepts the update but lacks
 * the records afterwards: it silently ignores records that conflict with others (RFC 2136, section 3.4.2.2).
 */
export const ensureRecords = async (
  server: NameServerClient,
  desired: DesiredRecords,
  { signal, throwIfExpired }: RecordStep,
): Promise<'same' | 'changed'> => {
  if (isSame(await server.read(desired, signal), desired)) return 'same'
  throwIfExpired()
  await server.write(desired, desired, signal)
  const written = await server.read(desired, signal)
  if (written?.length === 0)
    throw new Error(
      `DNS update of ${desired.name} has no effect: the name server accepted it but has no ${desired.type} record of that name. A CNAME and other records cannot have the same name`,
    )
  return 'changed'
}

/** Removes all records of that name and type. Writes nothing if none exist. */
export const removeRecords = async (
  server: NameServerClient,
  key: RecordKey,
  { signal, throwIfExpired }: RecordStep,
): Promise<'absent' | 'removed'> => {
  const present = await server.read(key, signal)
  if (present?.length === 0) return 'absent'
  throwIfExpired()
  await server.write(key, undefined, signal)
  return 'removed'
}

/** Returns true if a name is the zone or below it. */
export const isInZone = (name: string, zone: string): boolean =>
  sameName(name, zone) || plainName(name).endsWith(`.${plainName(zone)}`)

const isSame = (present: readonly ReplyRecord[] | undefined, desired: DesiredRecords): boolean => {
  if (present === undefined || present.some(({ ttl }) => ttl !== desired.ttl)) return false
  const textsOf = (values: readonly string[]) =>
    [...new Set(values.map(value => canonical(desired.type, value)))].sort().join(' ')
  return textsOf(present.map(({ value }) => value)) === textsOf(desired.values)
}

/** Returns one canonical text for all spellings of an address or a name. */
const canonical = (type: RecordKey['type'], value: string): string =>
  type === 'CNAME' ? plainName(value) : ipaddr.parse(value).toNormalizedString()
