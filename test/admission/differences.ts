/** A recorded review that is answered otherwise here, and why. */
export interface KnownDifference {
  readonly file: string
  readonly name: string
  readonly reason: string
}

/** All of them (docs/contract/admission.md#defects): in every other review, nothing differs. */
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
