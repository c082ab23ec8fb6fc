import type { Timestamp } from './system-clock.ts'

/** Formats RFC 3339 in UTC with seconds, as Kubernetes serializes `metav1.Time`: `2026-11-21T02:58:25Z`. */
export const formatSeconds = (time: Timestamp): string =>
  new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z')

/** Formats RFC 3339 in UTC with milliseconds: `2026-11-21T02:58:25.209Z`. */
export const formatMilliseconds = (time: Timestamp): string => new Date(time).toISOString()

/**
 * Formats RFC 3339 in UTC with microsecond digits, as Kubernetes serializes `metav1.MicroTime`:
 * `2026-11-21T02:58:25.209000Z`.
 */
export const formatMicroseconds = (time: Timestamp): string =>
  new Date(time).toISOString().replace(/Z$/, '000Z')

/**
 * Parses an RFC 3339 text (any fraction, any offset) to milliseconds since the epoch. Returns undefined for other
 * texts.
 */
export const parseTimestamp = (text: string | undefined): Timestamp | undefined => {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text))
    return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
