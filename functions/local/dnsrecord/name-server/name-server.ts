/**
 * Manages records of a zone on a name server that accepts dynamic updates (RFC 2136). Reads the records from that
 * server, and writes only differences.
 */

export { parseNameServerAddress } from './address.ts'
export { createNameServerClient, type NameServerClient } from './client.ts'
export type { NameServerTransport } from './exchange/transport.ts'
export { inMemory, overNetwork } from './exchange/transport.ts'
export type { DesiredRecords, RecordKey } from './record-key.ts'
export { ensureRecords, isInZone, removeRecords } from './records.ts'
