import { parseTimestamp } from '../../../shared/clock/clock.ts'

/**
 * Returns the time since a timestamp as kubectl prints it: `45s`, `5m12s`, `3h7m`, `2d4h`, `14d`, `2y31d`
 * (k8s.io/apimachinery/pkg/util/duration, HumanDuration).
 */
export const ageOf = (timestamp: string | undefined, now: number): string => {
  const then = parseTimestamp(timestamp)
  return then === undefined ? '<unknown>' : humanDuration(now - then)
}

/** Formats milliseconds with two units while the first is small, then with one. */
export const humanDuration = (milliseconds: number): string => {
  const seconds = Math.trunc(milliseconds / 1_000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.trunc(minutes / 60)
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.trunc(hours / 24)
  if (hours < 192) return pair(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.trunc(days / 365)
  return years < 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`
}

const pair = (first: number, unit: string, second: number, smaller: string): string =>
  second === 0 ? `${first}${unit}` : `${first}${unit}${second}${smaller}`
