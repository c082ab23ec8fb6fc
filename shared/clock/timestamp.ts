import type { Timestamp } from './system-clock.ts'

/** RFC 3339 in UTC with second precision, as Kubernetes serialises `metav1.Time`: `2026-11-21T02:58:25Z`. */
export const formatSeconds = (time: Timestamp): string =>
  new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z')

/** RFC 3339 in UTC with millisecond precision: `2026-11-21T02:58:25.209Z`. */
export const formatMilliseconds = (time: Timestamp): string => new Date(time).toISOString()

/** RFC 3339 in UTC with microsecond digits, as Kubernetes serialises `metav1.MicroTime`: `2026-11-21T02:58:25.209000Z`. */
export const formatMicroseconds = (time: Timestamp): string =>
  new Date(time).toISOString().replace(/Z$/, '000Z')

/** Milliseconds since the epoch of an RFC 3339 text (any fraction, any offset), or undefined if it is none. */
export const parseTimestamp = (text: string | undefined): Timestamp | undefined => {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text)) {
    return undefined
  }
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
