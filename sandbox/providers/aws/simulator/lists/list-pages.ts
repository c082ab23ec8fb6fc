import { seeded } from '../seeded.ts'
import { ServiceError } from '../service.ts'
import type { PageSettings } from './list-options.ts'
import type { Pager } from './pagers.ts'

export type Members = Readonly<Record<string, unknown>>

/** Performs the action. The first copy of a repeated item comes from an endpoint that is behind, if there is one. */
export type ListRead = (input: Members, from?: 'behind') => Members | Promise<Members>

/** The position of a page in a listing. */
interface ListPlace {
  /** The number of the listing, which determines its order. Negative: it omits nothing. */
  readonly listing: number
  readonly page: number
  /** The place of the last item of the previous page. */
  readonly after: string
}

const tokenOf = (position: ListPlace): string => Buffer.from(JSON.stringify(position)).toString('base64url')

const positionOf = (token: unknown): ListPlace | undefined => {
  try {
    const { listing, page, after } = JSON.parse(Buffer.from(String(token), 'base64url').toString())
    return typeof listing === 'number' && typeof page === 'number' && typeof after === 'string'
      ? { listing, page, after }
      : undefined
  } catch {
    return undefined
  }
}

/** An item of a list, with the list's name. */
interface Listed {
  readonly list: string
  readonly id: string
  readonly item: unknown
}

const itemsOf = ({ lists }: Pager, answer: Members): readonly Listed[] =>
  Object.entries(lists).flatMap(([list, members]) =>
    ((answer[list] ?? []) as readonly unknown[]).map(item => ({
      list,
      id: typeof item === 'string' ? item : members.map(name => (item as Members)[name]).join(' '),
      item,
    })),
  )

/** Reads all pages as the service makes them. */
const readAll = async (pager: Pager, input: Members, read: ListRead) => {
  const first = await read(input)
  const items = [...itemsOf(pager, first)]
  const size = items.length
  for (let last = first; last[pager.next] !== undefined; ) {
    last = await read({ ...input, [pager.token]: last[pager.next] })
    items.push(...itemsOf(pager, last))
  }
  return { first, items, size }
}

/** An endpoint that is behind may not know the subject of the call. */
const readBehind = async (input: Members, read: ListRead): Promise<Members> => {
  try {
    return await read(input, 'behind')
  } catch (error) {
    if (error instanceof ServiceError) return {}
    throw error
  }
}

/** Returns true if the request names its items, by id or by the filter for it. AWS omits none of them. */
const namesItems = ({ idFilter }: Pager, { Filters, Filter = Filters }: Members): boolean =>
  Array.isArray(Filter) && Filter.some(({ Name }) => Name === idFilter)

/** Returns true if the request lists items by pages. AWS refuses pages for named ones. */
export const isWalk = ({ names }: Pager, input: Members): boolean =>
  !Object.entries(input).some(([name, value]) =>
    Array.isArray(value)
      ? value.length > 0 && /(?:Ids|Names|Arns)$/.test(name)
      : names.includes(name) && value !== undefined,
  )

/** Places the items of a listing: all once, but one of them twice and one of them nowhere by the probabilities. */
const placed = (
  items: readonly Listed[],
  listing: number,
  { seed, repeated, omitted }: Pick<PageSettings, 'seed' | 'repeated' | 'omitted'>,
) => {
  const chosen = (what: string, probability: number): string | undefined =>
    seeded(seed, listing, what) < probability
      ? items
          .map(({ id }) => ({ id, draw: seeded(seed, listing, what, id) }))
          .sort((a, b) => a.draw - b.draw)[0]?.id
      : undefined
  const twice = chosen('twice', repeated)
  const nowhere = listing < 0 ? undefined : chosen('nowhere', omitted)
  const placeOf = (id: string, copy: number): string =>
    `${Math.floor(seeded(seed, listing, id, copy) * 2 ** 32)
      .toString(16)
      .padStart(8, '0')} ${id} ${copy}`
  return items
    .filter(({ id }) => id !== nowhere)
    .flatMap(listed =>
      (listed.id === twice ? [0, 1] : [0])
        .map(copy => placeOf(listed.id, copy))
        .sort()
        .map((place, nth, { length }) => ({ ...listed, place, isOlder: nth < length - 1 })),
    )
    .sort((a, b) => (a.place < b.place ? -1 : 1))
}

/** Returns a page of a list without a documented order. `number` differs in each call and names a new listing. */
export const pageOf = async (
  pager: Pager,
  input: Members,
  read: ListRead,
  settings: PageSettings,
  number: number,
): Promise<Members> => {
  const { [pager.token]: token, ...whole } = input
  const position = token === undefined ? { listing: number, page: 0, after: '' } : positionOf(token)
  // The service refuses the token.
  if (position === undefined) return await read(input)
  const { first, items, size } = await readAll(pager, whole, read)
  const { listing, page, after } = position
  const { seed, least, most } = settings
  const sizeOf = (nth: number): number =>
    Math.min(size, least + Math.floor(seeded(seed, listing, 'page', nth) * (most - least + 1)))
  const isShort = items.length <= sizeOf(0)
  const exact = { seed, repeated: 0, omitted: 0 }
  const entries = placed(items, listing, isShort || namesItems(pager, whole) ? exact : settings)
  const rest = entries.filter(({ place }) => place > after)
  const shown = rest.slice(0, sizeOf(page))
  const older = shown.some(({ isOlder }) => isOlder) ? itemsOf(pager, await readBehind(whole, read)) : []
  const lists = Object.keys(pager.lists).map(list => [
    list,
    shown
      .filter(entry => entry.list === list)
      .map(({ id, item, isOlder }) =>
        isOlder ? (older.find(other => other.list === list && other.id === id)?.item ?? item) : item,
      ),
  ])
  // An item can be lost only between two pages.
  const lacksOne = new Set(entries.map(({ id }) => id)).size < items.length
  const more = rest.length > shown.length || (lacksOne && page === 0)
  return {
    ...first,
    ...Object.fromEntries(lists),
    [pager.next]: more
      ? tokenOf({ listing, page: page + 1, after: shown.at(-1)?.place ?? after })
      : undefined,
    ...(pager.truncates && { IsTruncated: more }),
    ...(pager.echoes && token !== undefined && { [pager.token]: token }),
  }
}
