import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import { annotations } from './constants.ts'

/** A pause by a person: no step starts before its end. */
export interface Pause {
  readonly until: Timestamp
  /** A text for readers: the person and the reason. May be empty. */
  readonly note: string
}

/** The longest pause. An earlier start of a pause with a later end has no effect. */
export const longestPauseMs = 14 * 86_400_000

/**
 * Parses the annotation `trellis.gardener.cloud/pause`: the end in RFC 3339, and after a space any text for readers.
 * Returns undefined for another text, which pauses nothing.
 */
export const parsePause = (text: string): Pause | undefined => {
  const [end = '', ...note] = text.trim().split(/\s+/)
  const until = parseTimestamp(end)
  return until === undefined ? undefined : { until, note: note.join(' ') }
}

/** The part of an object's metadata with annotations. */
interface Annotated {
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

/** Returns the pause in the annotations of an object or of a shoot's Cluster, whether or not it is in force. */
export const pauseOf = ({ annotations: all }: Annotated): Pause | undefined => {
  const text: unknown = all?.[annotations.pause]
  return typeof text === 'string' ? parsePause(text) : undefined
}

/** Returns the pause that ends later, of those in force. */
export const laterPause = (
  one: Pause | undefined,
  other: Pause | undefined,
  now: Timestamp,
): Pause | undefined => {
  if (!isInForce(other, now)) return one
  return isInForce(one, now) && one.until >= other.until ? one : other
}

/** A clock that is ahead may have set the end. */
const aheadMs = 3_600_000

/** Returns true from 14 days (and an hour) before the end of a pause until its end. */
export const isInForce = (pause: Pause | undefined, now: Timestamp): pause is Pause =>
  pause !== undefined && now < pause.until && pause.until - now <= longestPauseMs + aheadMs

/** Returns why the annotation pauses nothing, for readers; undefined if it does, or is absent. */
export const pauseProblem = ({ annotations: all }: Annotated, now: Timestamp): string | undefined => {
  const text: unknown = all?.[annotations.pause]
  if (typeof text !== 'string') return undefined
  const pause = parsePause(text)
  const problem =
    pause === undefined
      ? 'its first word is no time such as 2026-12-01T10:00:00Z'
      : now >= pause.until
        ? 'its time is over'
        : isInForce(pause, now)
          ? undefined
          : 'it ends in more than 14 days'
  return problem && `${annotations.pause} is ignored: ${problem}`
}
