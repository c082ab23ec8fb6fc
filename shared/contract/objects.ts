/** The objects of Gardener's API as they are once parsed: their schemas stand in `schemas`, one file for each kind. */

export type { Cluster } from './schemas/cluster.ts'
export type { DNSRecord } from './schemas/dns-record.ts'
export type { Infrastructure } from './schemas/infrastructure.ts'
export type { LastOperation } from './schemas/last-operation.ts'
