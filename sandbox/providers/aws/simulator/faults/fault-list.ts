import type { Clock, Timestamp } from '../../../../../shared/clock/clock.ts'
import { isAllowed } from '../accounts/key-ring.ts'
import { type Fault, type FaultOrder, faultSchema } from './fault.ts'

/** The properties of a call that faults match. */
export interface FaultTarget {
  readonly service: string
  readonly action: string
  readonly accessKeyId: string | undefined
}

/** The pending faults. */
export interface FaultList {
  /** Adds a fault and returns a function that removes it. Throws a ZodError for an invalid fault. */
  add(order: FaultOrder): () => void
  clear(): void
  /** Returns the faults that have not run out, by number or by time. */
  pending(): readonly Fault[]
  /** Counts the call and returns the faults that apply to it, in the order in which they were added. */
  meet(target: FaultTarget): readonly Fault[]
}

interface ListedFault {
  readonly fault: Fault
  seen: number
  /** The time of the first failed call. */
  since: Timestamp | undefined
}

const matches = (fault: Fault, target: FaultTarget): boolean =>
  (fault.service === undefined || fault.service === target.service) &&
  (fault.action === undefined || isAllowed(target.action, [fault.action])) &&
  (fault.accessKeyId === undefined || fault.accessKeyId === target.accessKeyId)

/** Returns the number of calls that fail: all within the given time, or one. */
const timesOf = ({ times, lasts }: Fault): number =>
  (times === undefined ? (lasts === undefined ? 1 : null) : times) ?? Number.POSITIVE_INFINITY

const isSpent = ({ fault, seen }: ListedFault): boolean => seen >= fault.nth - 1 + timesOf(fault)

const isOver = ({ fault: { lasts }, since }: ListedFault, time: Timestamp): boolean =>
  lasts !== undefined && since !== undefined && time >= since + lasts

export const createFaultList = (clock: Pick<Clock, 'now'>): FaultList => {
  const entries = new Set<ListedFault>()
  return {
    add: order => {
      const entry: ListedFault = { fault: faultSchema.parse(order), seen: 0, since: undefined }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    clear: () => entries.clear(),
    pending: () => [...entries].filter(entry => !isOver(entry, clock.now())).map(({ fault }) => fault),
    meet: target => {
      const met: Fault[] = []
      for (const entry of entries) {
        if (!matches(entry.fault, target)) continue
        if (isOver(entry, clock.now())) {
          entries.delete(entry)
          continue
        }
        entry.seen += 1
        if (entry.seen >= entry.fault.nth) {
          entry.since ??= clock.now()
          met.push(entry.fault)
        }
        if (isSpent(entry)) entries.delete(entry)
      }
      return met
    },
  }
}
