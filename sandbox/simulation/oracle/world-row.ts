/** A resource of the cloud, or an object of an API server. */
export interface WorldRow {
  /** `ec2/eu-west-1 subnets`, `seed north Secret shoot--garden--rose/ca`. */
  readonly place: string
  /** JSON. */
  readonly value: unknown
  /** If true, the order of lists has no meaning. */
  readonly isUnordered?: boolean
}
