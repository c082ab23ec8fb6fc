/** Go's units of time in milliseconds. */
const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000_001,
}

/** Returns the milliseconds of a Go duration (`24h`, `96h0m0s`, `1.5h`), or undefined for a negative or other text. */
export const parseDuration = (text: string): number | undefined => {
  if (text === '0') return 0
  if (!/^\+?(?:\d+(?:\.\d*)?(?:h|ms|m|s|us|µs|ns)|\.\d+(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined
  return text.split(/(?<=[a-zµ])(?=[\d.])/).reduce((sum, part) => {
    const unit = part.replace(/^[+\d.]*/, '')
    return sum + Number(part.slice(0, -unit.length)) * (units[unit] ?? 0)
  }, 0)
}

/**
 * Formats a duration as Go does: `15m` → `15m0s`, `90s` → `1m30s`, `1500ms` → `1.5s`. Returns other texts unchanged.
 */
export const canonicalDuration = (text: string): string => {
  const ms = parseDuration(text)
  if (ms === undefined) return text
  if (ms === 0) return '0s'
  if (ms < 1_000)
    return ms >= 1 ? `${decimal(ms)}ms` : ms >= 0.001 ? `${decimal(ms * 1e3)}µs` : `${decimal(ms * 1e6)}ns`
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor((ms % 3_600_000) / 60_000)
  return `${hours > 0 ? `${hours}h` : ''}${ms >= 60_000 ? `${minutes}m` : ''}${decimal((ms % 60_000) / 1_000)}s`
}

/** Without an exponent, with nanosecond precision. */
const decimal = (value: number): string => String(Number(value.toFixed(9)))
