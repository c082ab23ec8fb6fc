/** Identifies all records of one type for a name. */
export interface RecordKey {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'CNAME'
}

export interface DesiredRecords extends RecordKey {
  /** Addresses of the type's family, or the one target of a CNAME. */
  readonly values: readonly string[]
  /** Seconds. */
  readonly ttl: number
}
