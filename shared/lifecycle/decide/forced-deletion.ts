import { parseTimestamp, type Timestamp } from '../../clock/clock.ts'
import { bytesOf, cutToBytes } from '../../text/cut-text.ts'
import type { Orphans } from '../actuator.ts'
import type { Facts } from './facts.ts'

/**
 * The longest time in milliseconds in which a forced deletion tries to delete. Then its object is released, whatever
 * remains.
 *
 * gardenlet waits 2 min for the deletion of a DNSRecord and 5 min for other kinds
 * (docs/contract/lifecycle.md#force-delete). If its wait ends first, it reports the error of the object, and most codes
 * of an error fail the Shoot: then nothing continues. The 30 s before that are for the first event, for the release,
 * and for starts of the function.
 */
export const longestForcedMs = 90_000

/**
 * The longest delay of an event in milliseconds that counts as time of the deletion. A longer one is more likely the
 * difference of two clocks.
 */
const longestDelayMs = 10_000

/** A deletion that leaves unreachable resources behind. */
export interface ForcedDeletion {
  /** Its steps and waits until now, in milliseconds. */
  readonly tookMs: number
  /** No actuator runs after this time. */
  readonly endsAt: Timestamp
  /** True if the time was over before this step: it releases the object without its actuator. */
  readonly isOver: boolean
}

/** Returns true if an earlier step has forced the deletion of this object. */
export const wasForced = ({ deletionTimestamp, step }: Facts): boolean =>
  deletionTimestamp !== undefined && step?.operation === 'delete' && step.forcedMs !== undefined

/**
 * Returns the forced deletion that a step begins or continues. New requests, errors and crashes do not restart its
 * time. It is a sum: each step and wait is measured by one clock, because the clocks of two processes may differ.
 */
export const forcedDeletionOf = (facts: Facts, now: Timestamp): ForcedDeletion => {
  const { forcedMs = 0, durationMs = 0, until = '' } = (wasForced(facts) && facts.step) || {}
  const sinceMs = now - ((parseTimestamp(until) ?? now) - durationMs)
  const tookMs = Math.round(forcedMs + Math.min(Math.max(0, sinceMs), durationMs + longestDelayMs))
  return { tookMs, endsAt: now + Math.max(0, longestForcedMs - tookMs), isOver: tookMs >= longestForcedMs }
}

/** Limits in bytes, by the reader of the text. `kubectl` shows an Event in one line. */
const limits = {
  status: { things: 4_096, why: 2_048 },
  event: { things: 600, why: 300 },
  log: { things: 16_384, why: 2_048 },
} as const

/** Longest name of a thing in bytes: users choose names. */
const longestName = 256

const incomplete = 'the forced deletion is incomplete'

/** Returns true if the text contains one of `orphansText`. */
export const reportsOrphans = (text: string): boolean => text.includes(incomplete)

/** Returns the text about a forced deletion that leaves things behind. */
export const orphansText = (orphans: Orphans, reader: keyof typeof limits): string => {
  const { things, why } = orphanFields(orphans, reader)
  const text = `${incomplete}: ${why}`
  return things === '' ? text : `${text}. These may still exist: ${things}. Delete them by hand`
}

/** Returns the same as two texts: as many things as fit with the number of the others, and the reason. */
export const orphanFields = (
  { things, why }: Orphans,
  reader: keyof typeof limits,
): { readonly things: string; readonly why: string } => ({
  things: namesWithin(things, limits[reader].things),
  why: cutToBytes(why, limits[reader].why),
})

const namesWithin = (things: readonly string[], mostBytes: number): string => {
  let text = ''
  for (const [index, thing] of things.entries()) {
    const next = `${text}${index === 0 ? '' : ', '}${cutToBytes(thing, longestName)}`
    if (bytesOf(next) > mostBytes) return `${text} and ${things.length - index} more`
    text = next
  }
  return text
}
