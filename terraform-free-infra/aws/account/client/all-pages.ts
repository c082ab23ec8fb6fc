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

/** The part of a request that asks for a page. */
export interface Ec2Page {
  readonly NextToken?: string
}

type Items<Answer, Field extends keyof Answer> = Answer[Field] extends readonly (infer Item)[] | undefined
  ? Item
  : never

/**
 * Reads all pages of a list of EC2.
 *
 * @param field the field of the answer with the items
 * @param id the field of an item with its id
 * @param send sends the request of a page
 */
export const ec2Pages = <
  Answer extends { readonly NextToken?: string | undefined },
  Field extends keyof Answer,
  Id extends keyof Items<Answer, Field>,
>(
  field: Field,
  id: Id,
  send: (page: Ec2Page) => Promise<Answer>,
): Promise<readonly Items<Answer, Field>[]> =>
  allPages(
    (item: Items<Answer, Field>) => item[id] as string | undefined,
    async NextToken => {
      const answer = await send(NextToken === undefined ? {} : { NextToken })
      return { items: answer[field] as readonly Items<Answer, Field>[] | undefined, next: answer.NextToken }
    },
  )

/** Returns each item once, in its last form and at its first place. */
const eachOnce = <T>(idOf: (item: T) => string | undefined, items: readonly T[]): readonly T[] => {
  const byId = new Map<unknown, T>()
  // An item without an id is its own key.
  for (const item of items) byId.set(idOf(item) ?? item, item)
  return [...byId.values()]
}
