/** A token bucket: `burst` calls at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/**
 * By action pattern (`route53:*`, `ec2:Describe*`), or by another quantity that a service counts
 * (`ec2:RunInstances/instances`). A call takes a token from each bucket that it matches.
 */
export type Rates = Readonly<Record<string, Rate>>

/** The tokens that a call takes in addition to the one for its action, by bucket name. */
export type Counted = Readonly<Record<string, number>>
