/** All records of one type that a name has. */
export interface RecordKey {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'CNAME'
}

/** These records as they shall be. */
export interface DesiredRecords extends RecordKey {
  /** Addresses of the type's family, or the one target of a CNAME. */
  readonly values: readonly string[]
  /** Seconds. */
  readonly ttl: number
}
