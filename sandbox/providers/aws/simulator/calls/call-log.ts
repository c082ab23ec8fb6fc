import type { NormalizedSchema } from '@smithy/core/schema'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/** A call that reached the simulator. */
export interface CallRecord {
  readonly service: string
  readonly action: string
  readonly region: string | undefined
  readonly accountId: string | undefined
  readonly accessKeyId: string | undefined
  /** The input as parsed by the codec. Members that the service's model marks as sensitive are `***`. */
  readonly input: Readonly<Record<string, unknown>>
  readonly outcome: 'success' | 'error' | 'dropped'
  readonly errorCode: string | undefined
  /** HTTP status. Undefined if the connection was dropped. */
  readonly status: number | undefined
  /** The arrival time by the simulator's clock. */
  readonly time: Timestamp
  readonly requestId: string
  /** The requested feature that the simulator does not support: `DescribeCustomerGateways`, a parameter. */
  readonly notBuilt: string | undefined
}

/** The calls in the order of their outcomes. New calls replace old ones at the limit. */
export interface CallLog {
  /** The maximal number of stored calls. */
  readonly limit: number
  /** The number of calls that were dropped since the log was cleared. */
  dropped(): number
  all(): readonly CallRecord[]
  /** The calls of one action: `of('route53:ListHostedZones')`. */
  of(action: string): readonly CallRecord[]
  add(record: CallRecord): void
  clear(): void
  /** Calls the listener with every call from now on. The returned function stops that. */
  onCall(listener: (record: CallRecord) => void): () => void
  /** Calls the listener in the moment in which an operation has changed rows or read them, before its outcome. */
  onEffect(listener: (call: CallEffect) => void): () => void
  effect(call: CallEffect): void
}

/** A call that has just taken effect. */
export type CallEffect = Pick<
  CallRecord,
  'service' | 'action' | 'region' | 'accountId' | 'accessKeyId' | 'input'
>

/** The default limit of a log. */
const loggedCalls = 10_000

export const createCallLog = (limit: number = loggedCalls): CallLog => {
  let records: CallRecord[] = []
  let added = 0
  const listeners = new Set<(record: CallRecord) => void>()
  const witnesses = new Set<(call: CallEffect) => void>()
  const slack = Math.ceil(limit / 10)
  const newest = () => records.slice(Math.max(records.length - limit, 0))
  return {
    limit,
    dropped: () => Math.max(added - limit, 0),
    all: newest,
    of: action => newest().filter(record => `${record.service}:${record.action}` === action),
    add: record => {
      added += 1
      records.push(record)
      // Not at every call: moving all records costs more than storing some more for a while.
      if (records.length > limit + slack) records = newest()
      for (const listener of listeners) listener(record)
    },
    onCall: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onEffect: listener => {
      witnesses.add(listener)
      return () => witnesses.delete(listener)
    },
    effect: call => {
      for (const listener of witnesses) listener(call)
    },
    clear: () => {
      records = []
      added = 0
    },
  }
}

/**
 * Returns the value without sensitive members. Returns the same value if it has none, so that it is not stored twice.
 */
export const redacted = (schema: NormalizedSchema, value: unknown): unknown => {
  if (value === undefined || value === null) return value
  if (schema.getMergedTraits().sensitive) return '***'
  if (schema.isStreaming() && value instanceof Uint8Array) return `${value.length} bytes`
  if (schema.isListSchema()) {
    const items = value as readonly unknown[]
    const own = items.map(item => redacted(schema.getValueSchema(), item))
    return own.every((item, index) => item === items[index]) ? items : own
  }
  if (!schema.isStructSchema() && !schema.isMapSchema()) return value
  const values = value as Readonly<Record<string, unknown>>
  const members = schema.isStructSchema()
    ? schema.structIterator()
    : Object.keys(values).map(key => [key, schema.getValueSchema()] as const)
  let own = values
  for (const [name, member] of members) {
    const item = values[name]
    const kept = redacted(member, item)
    if (kept !== item) own = { ...own, [name]: kept }
  }
  return own
}
