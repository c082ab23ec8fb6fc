import { chosen } from './chosen.ts'
import type { TableService } from './dialects.ts'
import { jsonAnswer, type ServiceAnswer, type ServiceRequest } from './message.ts'

/**
 * Awkward lists, all of which OpenStack may give: pages that are smaller than asked, any order, and an item that is on
 * two pages because the list changed in between.
 */
export interface AwkwardLists {
  readonly seed: string | number
  /** The most items on a page. Default: 3. */
  readonly most?: number
  /** The probability that the last item of a page is also on the next one. Default: 0.25. */
  readonly repeated?: number
}

/** An item with its id, as the marker of a page. */
export interface ListedItem {
  readonly id: string
  readonly view: unknown
}

export type AnswerList = (
  request: ServiceRequest,
  service: TableService,
  member: string,
  items: readonly ListedItem[],
) => ServiceAnswer

/** The most items on a page if the request does not ask for fewer. Absent: all. */
const pageSizes: Readonly<Partial<Record<TableService, number>>> = { compute: 1_000, dns: 20, image: 25 }

/** Lists of Nova and Manila without markers. */
const whole: ReadonlySet<string> = new Set(['server_groups', 'keypairs', 'share_networks'])

export const createLists = (options: AwkwardLists | undefined): AnswerList => {
  let listings = 0
  // A later page has the order of the first one.
  const orders = new Map<string, number>()

  const ordered = (items: readonly ListedItem[], key: string, isFirst: boolean): readonly ListedItem[] => {
    if (options === undefined) return items
    if (isFirst) orders.set(key, listings++)
    const listing = orders.get(key) ?? 0
    return items
      .map(item => ({ item, place: chosen(options.seed, listing, item.id) }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item)
  }

  return (request, service, member, items) => {
    const { query, url } = request
    const marker = query.get('marker')
    const rest = new URLSearchParams(query)
    rest.delete('marker')
    const sorted = ordered(items, `${url}?${rest}`, marker === null)
    if (whole.has(member)) return jsonAnswer(200, { [member]: sorted.map(({ view }) => view) })
    const asked = Number(query.get('limit') ?? 0)
    const limits = [
      ...(Number.isInteger(asked) && asked > 0 ? [asked] : [pageSizes[service] ?? Number.POSITIVE_INFINITY]),
      ...(options === undefined ? [] : [options.most ?? 3]),
    ]
    const limit = Math.min(...limits)
    const from = marker === null ? 0 : sorted.findIndex(({ id }) => id === marker) + 1
    const page = sorted.slice(from, from + limit)
    const repeats =
      options !== undefined &&
      page.length > 1 &&
      chosen(options.seed, 'repeat', listings, page[0]?.id ?? '') < (options.repeated ?? 0.25)
    const last = page.at(repeats ? -2 : -1)
    // Designate has a link to an empty page if the last page is full.
    const more = service === 'dns' ? page.length === limit : sorted.length > from + page.length
    const next = more && last !== undefined ? linkTo(request, last.id) : undefined
    return jsonAnswer(200, {
      [member]: page.map(({ view }) => view),
      ...linksOf(service, member, next, request, items.length),
    })
  }
}

const linkTo = ({ url, query }: ServiceRequest, marker: string): string => {
  const next = new URLSearchParams(query)
  next.set('marker', marker)
  return `${url}?${next}`
}

const linksOf = (
  service: TableService,
  member: string,
  next: string | undefined,
  { url, query }: ServiceRequest,
  total: number,
): object => {
  switch (service) {
    case 'dns':
      return {
        links: { self: query.size === 0 ? url : `${url}?${query}`, ...(next && { next }) },
        metadata: { total_count: total },
      }
    case 'image': {
      const { pathname } = new URL(url)
      return {
        first: pathname,
        schema: '/v2/schemas/images',
        ...(next && { next: next.slice(next.indexOf(pathname)) }),
      }
    }
    case 'load-balancer':
      return { [`${member}_links`]: next === undefined ? [] : [{ rel: 'next', href: next }] }
    default:
      return next === undefined ? {} : { [`${member}_links`]: [{ rel: 'next', href: next }] }
  }
}
