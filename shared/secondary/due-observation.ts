import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { KindName } from '../contract/kinds.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { type Facts, factsOf, kindRules } from '../lifecycle/lifecycle.ts'
import { markOf, recordIn, type SecondaryOperation, type SecondaryRecord } from './secondary-record.ts'

/** The due work of a secondary function on an object. */
export interface ObservationWork {
  readonly operation: SecondaryOperation
  /** Identical for the same cause in every process: part of the event's id. */
  readonly cause: string
  /** The reason in one word. */
  readonly reason: ObservationReason
  /** Number of failed attempts so far. */
  readonly attempt: number
}

export type ObservationReason =
  | 'created'
  | 'changed'
  | 'succeeded'
  | 'deletion'
  | 'migration'
  | 'due'
  | 'retry'
  | 'expired'

/** `later`: at a time, ms since the epoch. `held`: a step is running, until then at most. */
export type DueObservation =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'emit' } & ObservationWork)
  | ({
      readonly kind: 'later'
      readonly at: Timestamp
      /** The length of the wait, for a process that saw its write. */
      readonly durationMs: number
      readonly held: boolean
    } & ObservationWork)

const none: DueObservation = { kind: 'none' }

/**
 * Returns the due work of a secondary function, derived only from the object: a new spec, a success of the primary
 * controller, a deletion, a migration, or the end of a wait. The bridge uses it to decide which event to send, and the
 * function to decide if a step runs. Other changes, such as progress of the primary, are no work.
 */
export const dueObservation = (kind: KindName, object: KubernetesObject, name: string): DueObservation => {
  const facts = factsOf(object)
  const record = recordIn(object, name)
  if (facts.requested === 'wait-for-state') return none
  const work = (reason: ObservationReason, operation: SecondaryOperation, of: string): ObservationWork => ({
    operation,
    cause: `${name}|${reason}@${of}`,
    reason,
    attempt: reason === 'retry' || reason === 'expired' ? (record?.attempt ?? 0) : 0,
  })
  if (record?.phase === 'claimed') return later(record, work('expired', record.operation, endOf(record)))

  const ending = endingOf(kind, facts)
  if (ending !== undefined) {
    const isHeld = facts.finalizers.includes(markOf(name))
    const isOver = record?.phase === 'observed' && record.operation !== 'observe'
    if (!isHeld && (record?.cleans !== true || isOver)) return none
    if (record?.phase === 'waiting' && record.operation === ending) return afterWait(record, work)
    if (isOver && record.operation === ending && ending === 'migrate') return none
    return ending === 'delete'
      ? { kind: 'emit', ...work('deletion', ending, facts.deletionTimestamp ?? '') }
      : { kind: 'emit', ...work('migration', ending, facts.timestamp) }
  }
  const success = successOf(facts)
  if (record === undefined || record.operation !== 'observe')
    return { kind: 'emit', ...work('created', 'observe', record === undefined ? '' : record.event) }
  if (record.generation !== facts.generation)
    return { kind: 'emit', ...work('changed', 'observe', String(facts.generation)) }
  if (success !== '' && success !== record.success)
    return { kind: 'emit', ...work('succeeded', 'observe', success) }
  return record.phase === 'waiting' ? afterWait(record, work) : none
}

/** The end of an object's life in this seed, if it has begun. */
const endingOf = (kind: KindName, facts: Facts): 'delete' | 'migrate' | undefined => {
  const { requested, lastOperation, deletionTimestamp } = facts
  const migrates =
    kindRules[kind].migrates &&
    (requested === 'migrate' || (requested !== 'restore' && lastOperation?.type === 'Migrate'))
  if (migrates) return 'migrate'
  return deletionTimestamp === undefined ? undefined : 'delete'
}

/** Returns a text that differs for each success of the primary controller; '' unless the last operation succeeded. */
export const successOf = ({ lastOperation }: Pick<Facts, 'lastOperation'>): string =>
  lastOperation?.state === 'Succeeded' ? `${lastOperation.type}/${lastOperation.lastUpdateTime}` : ''

const endOf = ({ until = '', event }: SecondaryRecord): string => `${until}@${event}`

const afterWait = (
  record: SecondaryRecord,
  work: (reason: ObservationReason, operation: SecondaryOperation, of: string) => ObservationWork,
): DueObservation =>
  later(record, work(record.attempt > 0 ? 'retry' : 'due', record.operation, endOf(record)))

const later = (record: SecondaryRecord, work: ObservationWork): DueObservation => ({
  kind: 'later',
  at: parseTimestamp(record.until ?? '') ?? 0,
  durationMs: record.durationMs ?? 0,
  held: record.phase === 'claimed',
  ...work,
})
