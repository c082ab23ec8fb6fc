import type { NormalizedSchema } from '@smithy/core/schema'
import type { Timestamp } from '../../../shared/clock/clock.ts'

/** A call that reached the simulator. */
export interface CallRecord {
  readonly service: string
  readonly action: string
  readonly region: string | undefined
  readonly accountId: string | undefined
  readonly accessKeyId: string | undefined
  /** As the codec read it; members that the service's model calls sensitive are `***`. */
  readonly input: Readonly<Record<string, unknown>>
  readonly outcome: 'success' | 'error' | 'dropped'
  readonly errorCode: string | undefined
  /** HTTP status; undefined when the connection was dropped. */
  readonly status: number | undefined
  /** When it arrived, by the simulator's clock. */
  readonly time: Timestamp
  readonly requestId: string
  /** The operation is not one that the simulator has. */
  readonly unknown: boolean
}

/** What was called, in order of arrival of the outcomes. */
export interface CallLog {
  all(): readonly CallRecord[]
  /** The calls of one action: `of('route53:ListHostedZones')`. */
  of(action: string): readonly CallRecord[]
  add(record: CallRecord): void
  clear(): void
  /** Calls the listener with every call from now on; the returned function ends that. */
  onCall(listener: (record: CallRecord) => void): () => void
}

export const createCallLog = (): CallLog => {
  let records: CallRecord[] = []
  const listeners = new Set<(record: CallRecord) => void>()
  return {
    all: () => [...records],
    of: action => records.filter(record => `${record.service}:${record.action}` === action),
    add: record => {
      records.push(record)
      for (const listener of listeners) listener(record)
    },
    onCall: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clear: () => {
      records = []
    },
  }
}

/** A copy without sensitive values. */
export const redacted = (schema: NormalizedSchema, value: unknown): unknown => {
  if (value === undefined || value === null) return value
  if (schema.getMergedTraits().sensitive) return '***'
  if (schema.isStreaming() && value instanceof Uint8Array) return `${value.length} bytes`
  if (schema.isStructSchema()) {
    const values = value as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      [...schema.structIterator()]
        .filter(([name]) => values[name] !== undefined)
        .map(([name, member]) => [name, redacted(member, values[name])]),
    )
  }
  if (schema.isListSchema()) {
    return (value as readonly unknown[]).map(item => redacted(schema.getValueSchema(), item))
  }
  if (schema.isMapSchema()) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, redacted(schema.getValueSchema(), item)]),
    )
  }
  return value
}
