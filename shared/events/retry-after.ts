import type { Timestamp } from '../clock/clock.ts'

/**
 * Milliseconds that a Retry-After header asks to wait (RFC 9110, section 10.2.3: seconds, or an HTTP date), never
 * below 0; undefined when there is none or it cannot be read.
 */
export const parseRetryAfter = (
  header: string | readonly string[] | undefined,
  now: Timestamp,
): number | undefined => {
  const value = typeof header === 'string' ? header.trim() : header?.[0]?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  // Date.parse takes nearly anything; an HTTP date starts with the name of a day.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0)
}
