/** Milliseconds of Go's units of time. */
const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000_001,
}

/** Milliseconds of a duration as Go writes it (`24h`, `96h0m0s`, `1.5h`); undefined: it is none, or below zero. */
export const parseDuration = (text: string): number | undefined => {
  if (text === '0') return 0
  if (!/^\+?(?:\d+(?:\.\d*)?(?:h|ms|m|s|us|µs|ns)|\.\d+(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined
  return text.split(/(?<=[a-zµ])(?=[\d.])/).reduce((sum, part) => {
    const unit = part.replace(/^[+\d.]*/, '')
    return sum + Number(part.slice(0, -unit.length)) * (units[unit] ?? 0)
  }, 0)
}

/**
 * A duration as Go writes it: `15m` → `15m0s`, `90s` → `1m30s`, `1500ms` → `1.5s`. What is no duration is given back as it
 * is.
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

/** Without an exponent, and no finer than a nanosecond of a second. */
const decimal = (value: number): string => String(Number(value.toFixed(9)))
