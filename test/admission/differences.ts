/** A recorded review that gets a different answer here, and the reason. */
export interface KnownDifference {
  readonly file: string
  readonly name: string
  readonly reason: string
}

/** All known differences (docs/contract/admission.md#defects). No other review differs. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    file: 'shoot',
    name: 'worker update: image vanished but unchanged',
    reason: 'a pool that stays as it is keeps its image, also when the cloud profile has lost it',
  },
  {
    file: 'shoot',
    name: 'infrastructure: managed zone without internal and public',
    reason: 'there would be no subnet for load balancers, which the Infrastructure then fails for',
  },
  {
    file: 'mutate.shoot',
    name: 'overlay without enabled',
    reason: 'the peer panics; an overlay of which nothing is said is one',
  },
]
