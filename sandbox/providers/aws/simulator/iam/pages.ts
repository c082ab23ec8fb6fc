export interface IamPageRequest {
  readonly Marker?: string | undefined
  readonly MaxItems?: number | undefined
}

/**
 * Returns a page of a list sorted by key. The marker is the last key of the previous page, opaque to callers.
 *
 * @throws AwsError ValidationError
 */
export const pageOf = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { Marker, MaxItems = 100 }: IamPageRequest,
) => {
  const after = Marker === undefined ? undefined : Buffer.from(Marker, 'base64url').toString('utf8')
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const rest = items
    .toSorted((a, b) => order(keyOf(a), keyOf(b)))
    .filter(item => after === undefined || keyOf(item) > after)
  const page = rest.slice(0, MaxItems)
  const last = page.at(-1)
  return {
    page,
    more:
      rest.length > page.length && last !== undefined
        ? { IsTruncated: true, Marker: Buffer.from(keyOf(last)).toString('base64url') }
        : { IsTruncated: false },
  }
}
