import type { RecordChange, Route53 } from './route53.ts'

/** The changes of one record. */
export interface SharedChange {
  /** Returns a client that calls the check before each attempt. */
  readonly open: (throwIfExpired: () => void) => Route53
  readonly zoneId: string
  readonly changes: readonly RecordChange[]
  readonly throwIfExpired: () => void
}

/** Sends the changes of several records of one zone as one batch: all of them or none. */
export const changeTogether = async (
  batch: readonly SharedChange[],
  signal: AbortSignal,
): Promise<readonly { readonly kind: 'done'; readonly output: undefined }[]> => {
  const [first] = batch
  if (first === undefined) return []
  const route53 = first.open(() => {
    for (const { throwIfExpired } of batch) throwIfExpired()
  })
  await route53.changeRecordSets(
    first.zoneId,
    batch.flatMap(({ changes }) => changes),
    signal,
  )
  return batch.map(() => ({ kind: 'done', output: undefined }))
}

/**
 * Route 53 accepts 1,000 values and 32,000 characters of values in a request, and counts those of an UPSERT twice
 * ("Quotas", Developer Guide).
 */
const mostValues = 1_000
const mostCharacters = 32_000

/** Returns the number of records, from the first on, whose changes fit into one request. */
export const mostTogether = (batch: readonly SharedChange[]): number => {
  let values = 0
  let characters = 0
  const over = batch.findIndex(({ changes }) => {
    for (const { action, set } of changes) {
      const times = action === 'UPSERT' ? 2 : 1
      values += times * Math.max(set.values?.length ?? 0, 1)
      characters += times * (set.values ?? []).reduce((sum, value) => sum + value.length, 0)
    }
    return values > mostValues || characters > mostCharacters
  })
  return over === -1 ? batch.length : over
}
