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
  const token = (item: Item): string => Buffer.from(idOf(item)).toString('base64url')
  const start = Marker === undefined || Marker === '' ? 0 : items.findIndex(item => token(item) === Marker)
  const next = items[start + PageSize]
  return {
    page: items.slice(start, start + PageSize),
    next: next === undefined ? {} : { NextMarker: token(next) },
  }
}
