import type { ChoiceSeed } from '../seeded.ts'

/** The form of lists. Calls with the operator's key see every list whole and in its usual order. */
export interface AwsListOptions {
  /**
   * Shuffles every list whose order AWS does not document, also lists within items, differently in each call. Pages of
   * one listing share one order. Default: lists have the order of creation or of names.
   */
  readonly shuffleLists?: ChoiceSeed
  /** Default: pages are as large as AWS allows, and show each item once. */
  readonly pages?: PageOptions
}

/**
 * Small pages of lists that change while they are read. AWS may return fewer items than requested ("MaxItems", IAM API
 * reference; aws/aws-sdk-ruby#689 for EC2), and promises no snapshot. A call that names items by id, or filters by
 * their ids, sees all of them.
 */
export interface PageOptions {
  readonly seed: ChoiceSeed
  /** The largest number of items on a page, at least 1. Default: 3. */
  readonly most?: number
  /** The smallest number of items on a page that is not the last. 0: pages may be empty. Default: 1. */
  readonly least?: number
  /** The probability that a listing of several pages shows one of its items twice. Default: 0.25. */
  readonly repeated?: number
  /** The probability that a listing of several pages lacks one of its items. Default: 0.25. */
  readonly omitted?: number
  /** False: of two listings by the same request, the second one omits nothing. Default: true. */
  readonly omittedAgain?: boolean
}

export type PageSettings = Required<PageOptions>

/** Returns complete settings. Without options the pages are those of AWS, in an order of the seed. */
export const pageSettings = (pages: PageOptions | undefined, seed: ChoiceSeed): PageSettings =>
  pages === undefined
    ? {
        seed,
        most: Number.MAX_SAFE_INTEGER,
        least: Number.MAX_SAFE_INTEGER,
        repeated: 0,
        omitted: 0,
        omittedAgain: true,
      }
    : { most: 3, least: 1, repeated: 0.25, omitted: 0.25, omittedAgain: true, ...pages }
