import { formatSeconds, type Timestamp } from '../../shared/clock/clock.ts'

/** Formats a duration with one unit: `40 s`, `15 m`, `3 h`, `12 d`. A larger unit is used from two units on. */
export const durationText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} m`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}

/** Formats a time of the day in UTC, `12:03:10Z`; of another day than `now`, with the date: `2026-11-21T12:03:10Z`. */
export const clockText = (time: Timestamp, now: Timestamp): string => {
  const text = formatSeconds(time)
  return text.slice(0, 10) === formatSeconds(now).slice(0, 10) ? text.slice(11) : text
}
