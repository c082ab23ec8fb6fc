import { type Fault, type FaultOrder, faultSchema } from './fault.ts'

/** A call as far as faults look at it. */
export interface Target {
  readonly service: string
  readonly action: string
  readonly accessKeyId: string | undefined
}

/** The faults that wait for their calls. */
export interface FaultList {
  /** Orders a fault; the returned function takes it back. Throws a ZodError for an order that is none. */
  add(order: FaultOrder): () => void
  clear(): void
  /** The faults that have not yet run out. */
  pending(): readonly Fault[]
  /** Counts the call, and says which faults it meets, in the order in which they were added. */
  meet(target: Target): readonly Fault[]
}

interface Entry {
  readonly fault: Fault
  seen: number
}

const matches = (fault: Fault, target: Target): boolean =>
  (fault.service === undefined || fault.service === target.service) &&
  (fault.action === undefined || fault.action === target.action) &&
  (fault.accessKeyId === undefined || fault.accessKeyId === target.accessKeyId)

const isSpent = ({ fault, seen }: Entry): boolean =>
  fault.times !== null && seen >= fault.nth - 1 + fault.times

export const createFaultList = (): FaultList => {
  const entries = new Set<Entry>()
  return {
    add: order => {
      const entry: Entry = { fault: faultSchema.parse(order), seen: 0 }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    clear: () => entries.clear(),
    pending: () => [...entries].map(({ fault }) => fault),
    meet: target => {
      const met: Fault[] = []
      for (const entry of entries) {
        if (!matches(entry.fault, target)) continue
        entry.seen += 1
        if (entry.seen >= entry.fault.nth) met.push(entry.fault)
        if (isSpent(entry)) entries.delete(entry)
      }
      return met
    },
  }
}
