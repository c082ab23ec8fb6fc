import { createHash } from 'node:crypto'
import { isThrottlingError, StandardRetryStrategy } from '@smithy/core/retry'
import type { RetryStrategyV2, SdkError } from '@smithy/types'
import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Access } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import { createRateLimiter, NotYetError } from './rate-limit.ts'
import {
  canonicalName,
  type HostedZone,
  type RecordChange,
  type RecordPage,
  type RecordSet,
  type RecordWindow,
  type Route53,
  sdkRoute53,
} from './route53.ts'
import { createSharedCalls, type SharedCall, type SharedResult } from './shared-calls.ts'

/** The Route 53 calls of one step. Errors are those of the SDK. */
export interface RecordCalls {
  listHostedZones(): Promise<readonly HostedZone[]>
  /**
   * Lists the record sets of a name.
   *
   * @param mustProveAbsence true if an empty list must be certain, as for a removal
   */
  listRecordSets(
    zoneId: string,
    window: RecordWindow,
    mustProveAbsence: boolean,
  ): Promise<readonly RecordSet[]>
  changeRecordSets(zoneId: string, changes: readonly RecordChange[]): Promise<void>
}

export interface Route53Step {
  readonly access: Access
  /** Stable between steps of a record. */
  readonly key: string
  /** True if an earlier step waited for its turn. */
  readonly resumed: boolean
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
}

/** Calls of a step that only reads and waits for no turn. */
export const directCalls = ({ access, signal, throwIfExpired }: Route53Step): RecordCalls => {
  const route53 = sdkRoute53(access.settings, throwIfExpired)
  return {
    listHostedZones: () => route53.listHostedZones(signal),
    listRecordSets: (zoneId, window) => route53.listRecordSets(zoneId, window, signal),
    changeRecordSets: (zoneId, changes) => route53.changeRecordSets(zoneId, changes, signal),
  }
}

/** Runs the work of a step with calls that wait for their turn and are combined with those of other steps. */
export type QueuedCalls = <T>(
  step: Route53Step,
  calls: number,
  work: (calls: RecordCalls) => Promise<T>,
) => Promise<T>

/** Maximum wait for the first turn inside a step, in ms. A longer wait ends the step, so that users can read the reason. */
const firstPatienceMs = 2_000

/** The same for later turns, in ms. If the step ended here, its read would be lost. */
const laterPatienceMs = 12_000

/** @param mostPerSecond the calls that AWS allows to an account; undefined if unknown */
export const createQueuedCalls = (mostPerSecond: number | undefined, clock: Clock): QueuedCalls => {
  const limiter = createRateLimiter({ mostPerSecond }, clock)
  const common = { limiter, clock, isThrottled, isOfOne }
  const zonesOf = createSharedCalls<ZoneList, readonly HostedZone[]>({
    ...common,
    send: async (lists, signal) => {
      const output = (await lists[0]?.route53.listHostedZones(signal)) ?? []
      return lists.map(() => ({ kind: 'done', output }))
    },
  })
  const read = createSharedCalls({ ...common, send: readTogether })
  const change = createSharedCalls({
    ...common,
    send: changeTogether,
    mostOf: mostTogether,
    check: ({ throwIfExpired }) => throwIfExpired(),
  })

  return async (step, calls, work) => {
    const { access, key, resumed, signal, throwIfExpired } = step
    const account = access.identity
    const sender = digestOf(access)
    const settings = { ...access.settings, retryStrategy: withoutThrottling(access.settings.retryStrategy) }
    const open = (check: () => void) => sdkRoute53(settings, check)
    const route53 = open(throwIfExpired)
    let registered = limiter.register(account, key, calls)
    let isFirst = true

    const call = <Input>(kind: string, input: Input, left: number): SharedCall<Input> => {
      const request = {
        account,
        group: `${sender} ${kind}`,
        input,
        waited: resumed || !isFirst,
        calls: left,
        patienceMs: isFirst ? firstPatienceMs : laterPatienceMs,
        signal,
      }
      isFirst = false
      return request
    }
    /** Reports the number of calls that the step still needs. */
    const leave = (left: number) => {
      registered = limiter.register(account, key, left)
    }
    try {
      const result = await work({
        listHostedZones: () => zonesOf(call('zones', { route53 }, calls + 1)),
        listRecordSets: async (zoneId, window, mustProveAbsence) => {
          const sets = await read(
            call(`read ${zoneId}`, { route53, zoneId, window, mustProveAbsence }, calls),
          )
          leave(calls - 1)
          return sets
        },
        changeRecordSets: (zoneId, changes) => {
          leave(1)
          return change(call(`change ${zoneId}`, { open, zoneId, changes, throwIfExpired }, 1))
        },
      })
      registered.end()
      return result
    } catch (error) {
      registered.end(error instanceof NotYetError ? clock.now() + error.afterMs : undefined)
      throw error
    }
  }
}

interface ZoneList {
  readonly route53: { listHostedZones(signal: AbortSignal): Promise<readonly HostedZone[]> }
}

/** Identifies credentials without revealing them. Only calls with equal credentials are combined. */
const digestOf = ({ identity, secrets, settings }: Access): string =>
  createHash('sha256')
    .update(JSON.stringify([identity, settings.region, ...secrets]))
    .digest('hex')

const isThrottled = (error: unknown): boolean => isThrottlingError(error as SdkError)

/** Errors for which one of several records can be the reason. Permissions can depend on the name of a record. */
const isOfOne = (error: unknown): boolean =>
  ['InvalidChangeBatch', 'InvalidInput', 'AccessDenied', 'AccessDeniedException'].includes(
    (error as Error).name,
  )

/** The rate limiter repeats throttled calls, so the SDK must not. */
const withoutThrottling = (strategy: RetryStrategyV2 = new StandardRetryStrategy(3)): RetryStrategyV2 => ({
  acquireInitialRetryToken: scope => strategy.acquireInitialRetryToken(scope),
  refreshRetryTokenForRetry: (token, error) =>
    error.errorType === 'THROTTLING'
      ? Promise.reject(new Error('repeated by the rate limiter'))
      : strategy.refreshRetryTokenForRetry(token, error),
  recordSuccess: token => strategy.recordSuccess(token),
})

/** A read of the record sets of one name. */
interface SharedRead {
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
const readTogether = async (
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

/** The changes of one record. */
interface SharedChange {
  /** Returns a client that calls the check before each attempt. */
  readonly open: (throwIfExpired: () => void) => Route53
  readonly zoneId: string
  readonly changes: readonly RecordChange[]
  readonly throwIfExpired: () => void
}

/** Sends the changes of several records of one zone as one batch: all of them or none. */
const changeTogether = async (
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

/**
 * Returns the number of records, from the first on, whose changes fit into one request. Route 53 refuses a batch with two
 * changes of a name.
 */
const mostTogether = (batch: readonly SharedChange[]): number => {
  let values = 0
  let characters = 0
  const names = new Set<string>()
  const over = batch.findIndex(({ changes }) => {
    const own = new Set(changes.map(({ set }) => canonicalName(set.name)))
    for (const name of own) {
      if (names.has(name)) return true
      names.add(name)
    }
    for (const { action, set } of changes) {
      const times = action === 'UPSERT' ? 2 : 1
      values += times * Math.max(set.values?.length ?? 0, 1)
      characters += times * (set.values ?? []).reduce((sum, value) => sum + value.length, 0)
    }
    return values > mostValues || characters > mostCharacters
  })
  return over === -1 ? batch.length : over
}
