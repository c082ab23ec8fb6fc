import { canonicalName, type RecordPage, type RecordSet, type RecordWindow, type Route53 } from './route53.ts'
import type { SharedResult } from './shared-calls.ts'

/** A read of the record sets of one name. */
export interface SharedRead {
  readonly route53: Route53
  readonly zoneId: string
  readonly window: RecordWindow
  /** True if the caller must know for certain that there is no record set: a combined read only shows those it finds. */
  readonly mustProveAbsence: boolean
}

/**
 * Reads the record sets of several names of one zone in one call: a page of 300 from the first name on. Names after the
 * page need another call, so the reads never need more calls than separate ones.
 */
export const readTogether = async (
  reads: readonly SharedRead[],
  signal: AbortSignal,
): Promise<readonly SharedResult<readonly RecordSet[]>[]> => {
  const [first] = reads
  if (first === undefined) return []
  const { route53, zoneId, window } = first
  if (reads.length === 1)
    return [{ kind: 'done', output: await route53.listRecordSets(zoneId, window, signal) }]
  const from = reads.map(read => read.window.name).reduce((a, b) => (sortKey(b) < sortKey(a) ? b : a))
  const page = await route53.listPage(zoneId, from, signal)
  return reads.map(read => resultOf(read, page))
}

const resultOf = (
  { window, mustProveAbsence }: SharedRead,
  page: RecordPage,
): SharedResult<readonly RecordSet[]> => {
  const name = sortKey(window.name)
  const sets = page.sets.filter(set => sortKey(set.name) === name)
  const isComplete = page.next === undefined || name < sortKey(page.next)
  const isProved = sets.length > 0 || (!mustProveAbsence && isPlain(name) && isSorted(page))
  return isComplete && isProved ? { kind: 'done', output: sets } : { kind: 'alone' }
}

/** Names with other characters have several spellings, whose order is not documented. */
const isPlain = (key: string): boolean => /^[a-z0-9._-]*$/.test(key)

/** Returns true if the page confirms the order that `sortKey` expects. */
const isSorted = ({ sets }: RecordPage): boolean => {
  const keys = sets.map(({ name }) => sortKey(name)).filter(isPlain)
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key)
}

/**
 * Returns the key by which Route 53 sorts names: labels in reverse with a trailing dot, compared as ASCII
 * ("ListResourceRecordSets", API reference).
 */
const sortKey = (name: string): string => `${canonicalName(name).split('.').reverse().join('.')}.`
