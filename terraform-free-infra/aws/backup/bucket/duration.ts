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
