/**
 * Amounts as Kubernetes writes them (docs/contract/workers.md#quantities): read exactly, and written in the canonical form
 * in which Go's `resource.Quantity` serialises them, since the very text goes into hashes and classes. Own code: the
 * packages for it compute in floating point (k8s-resource-parser, kubernetes-resource-parser), have not been kept up for
 * years (quantity.js), or read without a fraction and never write (`quantityToScalar` of client-node).
 */
interface Quantity {
  /** In 10⁻⁹, the finest that Kubernetes knows. */
  readonly nano: bigint
  readonly form: Form
}

/** `500m`, `5e-1`, `1Gi`: an amount keeps the form that it was written in, as far as that can express it. */
type Form = 'decimal' | 'exponent' | 'binary'

/**
 * The amount in canonical form: the largest suffix with which it is a whole number. Throws a `TypeError` for what is no
 * quantity.
 *
 * @example
 * canonicalQuantity('1.50Gi') // '1536Mi'
 * canonicalQuantity('0.5') // '500m'
 * canonicalQuantity(1000) // '1k'
 */
export const canonicalQuantity = (value: string | number): string => format(parse(value))

/**
 * The amount as a whole number, rounded away from zero. Throws a `TypeError` for what is no quantity.
 *
 * @example
 * wholeQuantity('1500m') // 2n
 */
export const wholeQuantity = (value: string | number): bigint => awayFromZero(parse(value).nano, one)

const one = 10n ** 9n

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Kubernetes counts nothing that is larger, in the binary form it cuts off there. */
const most = (2n ** 63n - 1n) * one

/** No amount that can be meant is longer; whoever writes one shall not make us compute for minutes. */
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

/** Whoever asks for a little gets a little, not nothing. */
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

/** How often the amount is divisible, up to so many times, and what is left. */
const divided = (amount: bigint, by: bigint, atMost: number): readonly [bigint, number] => {
  let [left, times] = [amount, 0]
  while (times < atMost && left % by === 0n) {
    left /= by
    times++
  }
  return [left, times]
}
