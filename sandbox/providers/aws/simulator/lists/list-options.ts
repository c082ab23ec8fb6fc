import type { Seed } from '../seeded.ts'

/** The form of lists. Calls with the operator's key see every list whole and in its usual order. */
export interface ListOptions {
  /**
   * Shuffles every list whose order AWS does not document, also lists within items, differently in each call. Pages of
   * one listing share one order. Default: lists have the order of creation or of names.
   */
  readonly shuffleLists?: Seed
  /** Default: pages are as large as AWS allows, and show each item once. */
  readonly pages?: PageOptions
}

/**
 * Small pages of lists that change while they are read. Calls that name their items by id see all of them; AWS promises
 * no more for a walk over pages than what it documents ("Pagination", EC2 API; "MaxItems", IAM API reference).
 */
export interface PageOptions {
  readonly seed: Seed
  /** The largest number of items on a page. A page has between 1 and this number. Default: 3. */
  readonly most?: number
  /** The probability that a listing of several pages shows one of its items twice. Default: 0.25. */
  readonly repeated?: number
  /** The probability that a listing of several pages lacks one of its items. Default: 0.25. */
  readonly omitted?: number
}
