import { compareKeys } from '../objects/versions/keys.ts'

export interface ListingRequest {
  readonly prefix: string
  /** Empty: no delimiter. */
  readonly delimiter: string
  readonly max: number
  /** Returns true if an entry is after the marker. For a common prefix the key is its text, without a version. */
  isAfter(key: string, version: string | undefined): boolean
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly commonPrefixes: readonly string[]
  /** The last entry of a page that is not the final one: an item, or a common prefix. */
  readonly last: { readonly item: Item } | { readonly commonPrefix: string } | undefined
}

/**
 * Returns a page of a list sorted by key. Keys with the same beginning up to the delimiter count as one entry
 * ("Organizing objects using prefixes", S3 user guide).
 */
export const pageOf = <Item extends { readonly key: string; readonly version?: string }>(
  entries: Iterable<Item>,
  { prefix, delimiter, max, isAfter }: ListingRequest,
): Page<Item> => {
  const items: Item[] = []
  const commonPrefixes: string[] = []
  let last: Page<Item>['last']
  for (const item of entries) {
    if (!item.key.startsWith(prefix)) continue
    const cut = delimiter === '' ? -1 : item.key.indexOf(delimiter, prefix.length)
    const common = cut < 0 ? undefined : item.key.slice(0, cut + delimiter.length)
    if (common === undefined ? !isAfter(item.key, item.version) : !isAfter(common, undefined)) continue
    if (common !== undefined && common === commonPrefixes.at(-1)) continue
    if (items.length + commonPrefixes.length >= max) return { items, commonPrefixes, last }
    if (common === undefined) {
      items.push(item)
      last = { item }
    } else {
      commonPrefixes.push(common)
      last = { commonPrefix: common }
    }
  }
  return { items, commonPrefixes, last: undefined }
}

/** A page has at most 1,000 items, even if more are requested. */
export const pageSize = (wanted: number | undefined): number => {
  const size = wanted ?? 1000
  return Math.min(size, 1000)
}

/**
 * Returns a function that encodes a text for lists: with `encoding-type=url` percent-encoded, blanks as plus signs.
 */
export const shownText = (encoding: string | undefined): ((text: string) => string) => {
  if (encoding === undefined) return text => text
  return text => encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+')
}

export const isAfterKey =
  (marker: string | undefined) =>
  (key: string): boolean =>
    marker === undefined || compareKeys(key, marker) > 0
