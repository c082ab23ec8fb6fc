/** A hosted zone, private ones included. */
export interface HostedZone {
  /** `Z1D633PJN98FT9`, without `/hostedzone/`. */
  readonly id: string
  /** As Route 53 writes it: `example.com.` */
  readonly name: string
}

export interface AliasTarget {
  readonly dnsName: string
  readonly hostedZoneId: string
  readonly evaluateTargetHealth: boolean
}

/** A record set: either `values` with `ttl`, or `alias`. */
export interface RecordSet {
  /** As it is written in the spec, or as Route 53 returns it (`\052.example.com.`): compare with `sameName`. */
  readonly name: string
  /** `A`, `CNAME`, …, and the types that Trellis never writes. */
  readonly type: string
  /** Seconds; alias sets have none. */
  readonly ttl?: number
  readonly values?: readonly string[]
  readonly alias?: AliasTarget
  /** Set for routing policies (weighted, latency, …), which Trellis never writes. */
  readonly setIdentifier?: string
}

export interface RecordChange {
  readonly action: 'UPSERT' | 'DELETE'
  readonly set: RecordSet
}

/** Which record sets to list: those of one name, from a type on when only that one matters. */
export interface RecordWindow {
  readonly name: string
  readonly fromType?: string
}

/** The Route 53 calls that a DNS record needs. Errors are whatever the SDK throws. */
export interface Route53 {
  /** All pages; not rate limited (docs/contract/provider-aws.md#hosted-zone). */
  listHostedZones(signal: AbortSignal): Promise<readonly HostedZone[]>
  /** One request, unless the name has more than a page of record sets. May end with sets of later names. */
  listRecordSets(zoneId: string, window: RecordWindow, signal: AbortSignal): Promise<readonly RecordSet[]>
  /** One batch: all changes or none. */
  changeRecordSets(zoneId: string, changes: readonly RecordChange[], signal: AbortSignal): Promise<void>
}
