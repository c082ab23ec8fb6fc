/**
 * Records of a zone whose name server takes dynamic updates (RFC 2136). What is there is asked of that very server, and
 * written only where it differs.
 */

export { type NameServerAddress, parseNameServerAddress } from './address.ts'
export { createNameServerClient, type NameServerClient, type NameServerOptions } from './client.ts'
export type { AnswerMessage, NameServerTransport } from './exchange/transport.ts'
export { inMemory, overNetwork } from './exchange/transport.ts'
export type { DesiredRecords, RecordKey } from './record-key.ts'
export { isInZone, keepRecords, removeRecords } from './records.ts'
