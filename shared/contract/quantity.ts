/** Quantities of Kubernetes (`resource.Quantity` of apimachinery), exact: nothing goes through floating point. */

/** In which form a quantity is written; it keeps that form when it is made canonical. */
type Form = 'decimal' | 'binary' | 'exponent'

interface Quantity {
  /** In units of 10⁻⁹, the smallest that there is. */
  readonly nano: bigint
  readonly form: Form
}

const nanoPerUnit = 1_000_000_000n

/** What is larger is this much, as apimachinery reads it. */
const largest = (2n ** 63n - 1n) * nanoPerUnit

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
])
const decimalSuffixOf = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]))

/** Each 1024 times the one before. */
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const

/**
 * A quantity as the API server writes it: `0.5` → `500m`, `1024Mi` → `1Gi`, `1000` → `1k`, `1.50Gi` → `1536Mi`, the number
 * 2 → `"2"`. Throws a `TypeError` for what is no quantity.
 */
export const canonicalQuantity = (quantity: string | number): string => {
  const { nano, form } = parse(quantity)
  if (form === 'binary' && abs(nano) >= 1024n * nanoPerUnit && nano % nanoPerUnit === 0n) {
    const [value, times] = withoutFactor(nano / nanoPerUnit, 1024n, binarySuffixes.length)
    return `${value}${binarySuffixes[times - 1] ?? ''}`
  }
  if (nano === 0n) return '0'
  const [value, times] = withoutFactor(nano, 1000n, Number.POSITIVE_INFINITY)
  const exponent = times * 3 - 9
  if (form === 'exponent') return exponent === 0 ? `${value}` : `${value}e${exponent}`
  return `${value}${decimalSuffixOf.get(exponent) ?? ''}`
}

/** A quantity as a whole number, rounded up, away from zero: `1500m` → 2, `9Gi` → 9663676416. Throws like `canonicalQuantity`. */
export const wholeQuantity = (quantity: string | number): bigint => {
  const { nano } = parse(quantity)
  return up(nano, nanoPerUnit)
}

const parse = (quantity: string | number): Quantity => {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/.exec(
    String(quantity),
  )
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match ?? []
  if (match === null || whole + fraction === '')
    throw new TypeError(`${JSON.stringify(quantity)} is no quantity`)
  const digits = BigInt(whole + fraction)
  const { factor, exponent, form } = scaleOf(suffix)
  const power = exponent - fraction.length + 9
  const scaled = digits * factor
  const size = power >= 0 ? scaled * 10n ** BigInt(power) : up(scaled, 10n ** BigInt(-power))
  const nano = size > largest ? largest : size
  return { nano: sign === '-' ? -nano : nano, form }
}

const scaleOf = (
  suffix: string,
): { readonly factor: bigint; readonly exponent: number; readonly form: Form } => {
  const times = (binarySuffixes as readonly string[]).indexOf(suffix) + 1
  if (times > 0) return { factor: 1024n ** BigInt(times), exponent: 0, form: 'binary' }
  const exponent = decimalSuffixes.get(suffix)
  if (exponent !== undefined) return { factor: 1n, exponent, form: 'decimal' }
  return { factor: 1n, exponent: Number(suffix.slice(1)), form: 'exponent' }
}

/** Divides as often as nothing is lost, and no more than so many times. */
const withoutFactor = (
  value: bigint,
  factor: bigint,
  most: number,
): readonly [value: bigint, times: number] => {
  let rest = value
  let times = 0
  for (; rest !== 0n && rest % factor === 0n && times < most; times++) rest /= factor
  return [rest, times]
}

const up = (value: bigint, divisor: bigint): bigint =>
  value / divisor + (value % divisor === 0n ? 0n : value < 0n ? -1n : 1n)

const abs = (value: bigint): bigint => (value < 0n ? -value : value)
