/**
 * Kubernetes quantities (docs/contract/workers.md#quantities): reads them exactly and writes the canonical form of Go's
 * `resource.Quantity`, because hashes and classes contain this text. No package fits: k8s-resource-parser and
 * kubernetes-resource-parser use floating point, quantity.js is unmaintained for years, and `quantityToScalar` of
 * client-node reads no fractions and cannot write.
 */
interface Quantity {
  /** In units of 10⁻⁹, the finest in Kubernetes. */
  readonly nano: bigint
  readonly form: Form
}

/** `500m`, `5e-1`, `1Gi`: an amount retains its notation if this can express it. */
type Form = 'decimal' | 'exponent' | 'binary'

/**
 * Returns the amount in canonical form: the largest suffix with a whole number. Throws a `TypeError` for an invalid
 * quantity.
 *
 * @example
 * canonicalQuantity('1.50Gi') // '1536Mi'
 * canonicalQuantity('0.5') // '500m'
 * canonicalQuantity(1000) // '1k'
 */
export const canonicalQuantity = (value: string | number): string => format(parse(value))

/**
 * Returns the amount as a whole number, rounded away from zero. Throws a `TypeError` for an invalid quantity.
 *
 * @example
 * wholeQuantity('1500m') // 2n
 */
export const wholeQuantity = (value: string | number): bigint => awayFromZero(parse(value).nano, one)

const one = 10n ** 9n

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** The largest amount in Kubernetes. In binary notation, larger amounts are cut to it. */
const most = (2n ** 63n - 1n) * one

/** Limits the computing time: no meaningful amount is longer. */
const longest = 64
const furthestExponent = 40

const grammar = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/

const parse = (value: string | number): Quantity => {
  const text = String(value)
  const match = text.length > longest ? null : grammar.exec(text)
  if (match === null) throw notOne(text)
  const [, sign, whole = '', fraction = match[4] ?? '', , binary, decimal, exponentText] = match
  const exponent = exponentText === undefined ? exponentOf(decimal ?? '') : Number(exponentText)
  if (Math.abs(exponent) > furthestExponent) throw notOne(text)
  const factor = binary === undefined ? 1n : 2n ** BigInt(10 * binarySuffixes.indexOf(binary))
  const digits = BigInt(`${whole}${fraction}`) * factor * one * 10n ** BigInt(Math.max(exponent, 0))
  const amount = awayFromZero(digits, 10n ** BigInt(fraction.length + Math.max(-exponent, 0)))
  const capped = binary !== undefined && amount > most ? most : amount
  return {
    nano: sign === '-' ? -capped : capped,
    form: binary !== undefined ? 'binary' : exponentText !== undefined ? 'exponent' : 'decimal',
  }
}

const notOne = (text: string) =>
  new TypeError(`expected a quantity such as 500m or 20Gi, found ${JSON.stringify(text.slice(0, longest))}`)

const exponentOf = (suffix: string): number => 3 * (decimalSuffixes.indexOf(suffix) - 3)

/** A small amount never becomes zero. */
const awayFromZero = (amount: bigint, unit: bigint): bigint => {
  const rest = amount % unit
  return amount / unit + (rest > 0n ? 1n : rest < 0n ? -1n : 0n)
}

const format = ({ nano, form }: Quantity): string => {
  if (nano === 0n) return '0'
  if (form === 'binary' && nano % one === 0n && (nano <= -1024n * one || nano >= 1024n * one)) {
    const [amount, times] = divided(nano / one, 1024n, binarySuffixes.length - 1)
    return `${amount}${binarySuffixes[times]}`
  }
  const [amount, times] = divided(nano, 1000n, form === 'exponent' ? Number.POSITIVE_INFINITY : 9)
  if (form !== 'exponent') return `${amount}${decimalSuffixes[times]}`
  return times === 3 ? String(amount) : `${amount}e${3 * (times - 3)}`
}

/** Returns the remaining amount and the number of divisions without remainder, up to a limit. */
const divided = (amount: bigint, by: bigint, atMost: number): readonly [bigint, number] => {
  let [left, times] = [amount, 0]
  while (times < atMost && left % by === 0n) {
    left /= by
    times++
  }
  return [left, times]
}
