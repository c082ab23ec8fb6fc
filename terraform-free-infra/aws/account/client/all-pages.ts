/**
 * Reads all pages of a list. Returns each item once, in its last form: AWS promises no snapshot, so a list that changes
 * while its pages are read may repeat an item.
 *
 * @param idOf the id of an item. Items without an id are all returned
 */
export const allPages = async <T>(
  idOf: (item: T) => string | undefined,
  page: (token: string | undefined) => Promise<{
    readonly items: readonly T[] | undefined
    readonly next: string | undefined
  }>,
): Promise<readonly T[]> => {
  const all: T[] = []
  let token: string | undefined
  do {
    const { items = [], next } = await page(token)
    all.push(...items)
    token = next === '' ? undefined : next
  } while (token !== undefined)
  return eachOnce(idOf, all)
}

/** Returns each item once, in its last form and at its first place. */
const eachOnce = <T>(idOf: (item: T) => string | undefined, items: readonly T[]): readonly T[] => {
  const byId = new Map<unknown, T>()
  // An item without an id is its own key.
  for (const item of items) byId.set(idOf(item) ?? item, item)
  return [...byId.values()]
}
