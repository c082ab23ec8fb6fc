import { configurationProblem } from '../../../../shared/contract/errors.ts'

const key = 'trellis.gardener.cloud/created-for'

/** The mark in the metadata of servers. Nova allows no slash in their keys. */
export const metadataKey = key.replace('/', '-')

/** The mark in descriptions. Its value is the uid of the object that created the resource. */
export const markOf = (uid: string): string => `${key}=${uid}`

/** Returns the uid in the mark of a description, or undefined without a mark. */
export const markIn = (description: string | null | undefined): string | undefined =>
  description?.split(`${key}=`)[1]

export interface OwnershipFacts {
  readonly uid: string
  /** The id in the state. */
  readonly recorded: string | undefined
  /** True if a deletion has begun. A resource that it has not recorded by then is not ours without a mark. */
  readonly isDeleting: boolean
}

/**
 * Returns why each resource of one name is ours. `proved`: the state has its id, or it has our mark. `likely`: it has
 * no mark, and is the only one, as after the Go extension. Undefined: another object created it. Throws a `CodedError`
 * if several may be ours.
 *
 * @param ownerOf returns the uid of the object that created a resource. Undefined: nothing shows it
 * @param what for the error: `servers shoot--a--b-c`
 */
export const ownership = <T extends { readonly id: string }>(
  items: readonly T[],
  ours: OwnershipFacts,
  ownerOf: (item: T) => string | undefined,
  what: string,
): ((item: T) => { readonly ours?: 'proved' | 'likely' }) => {
  const isOurs = (item: T) => item.id === ours.recorded || ownerOf(item) === ours.uid
  const unmarked =
    ours.isDeleting || items.some(isOurs) ? [] : items.filter(item => ownerOf(item) === undefined)
  if (unmarked.length > 1)
    throw configurationProblem(
      `there are several ${what}, and nothing shows which one belongs to this Bastion: ${unmarked.map(({ id }) => id).join(', ')}. Delete those that do not belong to it`,
    )
  return item => (isOurs(item) ? { ours: 'proved' } : unmarked.includes(item) ? { ours: 'likely' } : {})
}
