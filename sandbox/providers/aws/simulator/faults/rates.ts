/** A token bucket: `burst` calls at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/**
 * By pattern of actions (`route53:*`, `ec2:Describe*`), or by what a service counts beside them
 * (`ec2:RunInstances/instances`). A call takes a token from each bucket that it matches.
 */
export type Rates = Readonly<Record<string, Rate>>

/** What a call takes beside a token for its action, by the name of the bucket. */
export type Counted = Readonly<Record<string, number>>
