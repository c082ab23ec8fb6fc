import { refuse } from '../../../service.ts'
import { invalidCombination, invalidValue } from '../refusals.ts'

export interface Ec2PageRequest {
  readonly MaxResults?: number | undefined
  readonly NextToken?: string | undefined
}

const tokenOf = (position: number): string => Buffer.from(`after:${position}`).toString('base64url')

const positionOf = (token: string): number => {
  const [, digits] = /^after:(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (digits === undefined) throw refuse('InvalidNextToken', `The token '${token}' is invalid`)
  return Number(digits)
}

/**
 * Returns one page of a list in the order of `place`. Items that are added or removed between two pages do not shift
 * the others.
 *
 * @throws AwsError for an invalid token or a page size out of bounds
 */
export const pageOf = <Item>(
  items: readonly Item[],
  place: (item: Item, index: number) => number,
  { MaxResults, NextToken }: Ec2PageRequest,
  { least = 5, most = 1000 } = {},
): { readonly items: readonly Item[]; readonly next: string | undefined } => {
  if (MaxResults !== undefined && !(MaxResults >= least)) {
    throw invalidValue(
      `Value ( ${MaxResults} ) for parameter maxResults is invalid. Expecting a value greater than ${least}.`,
    )
  }
  const start = NextToken === undefined ? -1 : positionOf(NextToken)
  const rest = start < 0 ? items : items.filter((item, index) => place(item, index) > start)
  const size = Math.min(MaxResults ?? most, most)
  const page = rest.slice(0, size)
  const last = page.at(-1)
  if (rest.length <= size || last === undefined) return { items: page, next: undefined }
  return { items: page, next: tokenOf(place(last, items.indexOf(last))) }
}

/** @throws AwsError if a request names its resources and also asks for pages */
export const checkNoPages = (
  ids: readonly string[] | undefined,
  name: string,
  page: Ec2PageRequest,
): void => {
  if (ids?.length && page.MaxResults !== undefined) {
    throw invalidCombination(
      `The parameter ${name} cannot be used with the parameter maxResults. Remove maxResults and try again.`,
    )
  }
}
