import type { Filter } from '@aws-sdk/client-ec2'

export interface ById<T> {
  /** EC2's filter by id. */
  readonly idFilter: string
  readonly idOf: (item: T) => string | undefined
}

/**
 * Returns the listed resources, and those with these ids that the list lacks: a list may omit a resource that changed
 * while its pages were read. A request by filter returns nothing for an id that does not exist.
 */
export const listWithIds = async <T>(
  list: (filters: Filter[]) => Promise<readonly T[]>,
  filters: Filter[],
  { ids, idFilter, idOf }: { readonly ids: ReadonlySet<string> } & ById<T>,
): Promise<readonly T[]> => {
  const found = await list(filters)
  const known = new Set(found.map(idOf))
  const missing = [...ids].filter(id => !known.has(id))
  return missing.length === 0 ? found : [...found, ...(await list([{ Name: idFilter, Values: missing }]))]
}
