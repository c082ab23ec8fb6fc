import { refuse } from '../service.ts'

export interface IamPageRequest {
  readonly Marker?: string | undefined
  readonly MaxItems?: number | undefined
}

const validation = (text: string) =>
  refuse('ValidationError', `1 validation error detected: ${text}`, { status: 400 })

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
  if (!(MaxItems >= 1 && MaxItems <= 1000)) {
    const rule = MaxItems < 1 ? 'greater than or equal to 1' : 'less than or equal to 1000'
    throw validation(
      `Value '${MaxItems}' at 'maxItems' failed to satisfy constraint: Member must have value ${rule}`,
    )
  }
  const after = Marker === undefined ? undefined : Buffer.from(Marker, 'base64url').toString('utf8')
  if (Marker !== undefined && (!after || Buffer.from(after).toString('base64url') !== Marker)) {
    throw refuse('ValidationError', 'Invalid Marker.', { status: 400 })
  }
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
