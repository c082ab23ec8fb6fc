import * as z from 'zod'
import type { CallQuery, OpenStackAccess } from './access.ts'
import type { Service } from './catalog.ts'

/** A list of one kind of resource. */
export interface ListCall<S extends z.ZodType> {
  readonly service: Service
  /** `['networks']` */
  readonly path: readonly string[]
  readonly query?: CallQuery
  /** The member of the answer with the list: `networks`. */
  readonly member: string
  /** The fields of one item that are read. */
  readonly item: S
  /** Identifies an item. An item on two pages counts once. */
  readonly idOf: (item: z.output<S>) => string
  readonly headers?: Readonly<Record<string, string>>
  /** As a gerund: `listing networks`. */
  readonly doing: string
  readonly signal?: AbortSignal
}

/** The most pages of one list. Services have 1,000 items on a page, so a list with more is a circle. */
const mostPages = 200

const linkSchema = z.object({ rel: z.string(), href: z.string() })

/**
 * Returns all items of a list, each once: later pages follow the links of the answer. Neutron and Nova name the link
 * `<member>_links`, Designate `links.next`.
 */
export const listAll = async <S extends z.ZodType>(
  access: OpenStackAccess,
  { service, path, query, member, item, idOf, headers, doing, signal }: ListCall<S>,
): Promise<readonly z.output<S>[]> => {
  const answer = z.object({
    [member]: z.array(item),
    [`${member}_links`]: z.array(linkSchema).optional(),
    links: z.unknown().optional(),
  })
  const items = new Map<string, z.output<S>>()
  let asked: CallQuery | undefined = query
  for (let page = 0; page < mostPages; page++) {
    const read: Readonly<Record<string, unknown>> = await access.call({
      service,
      method: 'GET',
      path,
      answer,
      doing,
      ...(asked && { query: asked }),
      ...(headers && { headers }),
      ...(signal && { signal }),
    })
    // The schema has checked the member.
    for (const one of read[member] as readonly z.output<S>[]) items.set(idOf(one), one)
    const next = nextOf(read, member)
    if (next === undefined) return [...items.values()]
    asked = queryIn(next)
  }
  throw new Error(`${doing}: the list has more than ${mostPages} pages`)
}

const nextOf = (read: Readonly<Record<string, unknown>>, member: string): string | undefined => {
  const listed = read[`${member}_links`] as readonly z.output<typeof linkSchema>[] | undefined
  const ofDesignate: unknown = Object(read.links).next
  return (
    listed?.find(({ rel }) => rel === 'next')?.href ??
    (typeof ofDesignate === 'string' ? ofDesignate : undefined)
  )
}

/** Only the query of a link is used: behind a proxy, its host may be another one. */
const queryIn = (href: string): CallQuery => {
  const query: Record<string, string[]> = {}
  for (const [name, value] of new URL(href, 'http://link').searchParams) {
    query[name] ??= []
    query[name].push(value)
  }
  return query
}
