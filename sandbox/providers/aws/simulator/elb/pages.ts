import { refuse } from '../service.ts'

export interface ElbPageRequest {
  readonly Marker?: string | undefined
  readonly PageSize?: number | undefined
}

/**
 * Returns a page of at most 400 items in order of creation. The marker is the item's id, opaque to callers.
 *
 * @throws AwsError ValidationError
 */
export const pageOf = <Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  { Marker, PageSize = 400 }: ElbPageRequest,
) => {
  if (!(PageSize >= 1 && PageSize <= 400)) {
    throw refuse('ValidationError', 'The page size must be between 1 and 400', { status: 400 })
  }
  const token = (item: Item): string => Buffer.from(idOf(item)).toString('base64url')
  const start = Marker === undefined || Marker === '' ? 0 : items.findIndex(item => token(item) === Marker)
  if (start < 0) throw refuse('ValidationError', 'Invalid marker', { status: 400 })
  const next = items[start + PageSize]
  return {
    page: items.slice(start, start + PageSize),
    next: next === undefined ? {} : { NextMarker: token(next) },
  }
}
