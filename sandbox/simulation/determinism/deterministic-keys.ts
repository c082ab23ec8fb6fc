import { checkPrimeSync, createPrivateKey, createPublicKey, type KeyPairKeyObjectResult } from 'node:crypto'
import { createRandom } from '../random.ts'

/** Length of the keys in bits: shorter than those of Gardener, because a simulation makes thousands of signatures. */
const keyBits = 1024
const exponent = 65_537n

/** The keys of a run, in their order. */
export interface DeterministicKeys {
  next(): KeyPairKeyObjectResult
  /** Number of keys of this run and of those before it. */
  used(): number
}

/** @param used number of keys of the runs before: a world never gets the same key twice */
export const createKeys = (used = 0): DeterministicKeys => ({
  next: () => deterministicKeyPair(used++),
  used: () => used,
})

const keys: KeyPairKeyObjectResult[] = []

/** Returns the RSA key pair of an index. It is the same in every process. */
const deterministicKeyPair = (index: number): KeyPairKeyObjectResult => {
  keys[index] ??= createKeyPair(index)
  return keys[index]
}

const createKeyPair = (index: number): KeyPairKeyObjectResult => {
  const random = createRandom(`key ${index}`)
  const p = primeOf(random.bytes)
  const q = primeOf(random.bytes)
  const order = (p - 1n) * (q - 1n)
  const d = inverse(exponent, order)
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'RSA',
      n: base64Url(p * q),
      e: base64Url(exponent),
      d: base64Url(d),
      p: base64Url(p),
      q: base64Url(q),
      dp: base64Url(d % (p - 1n)),
      dq: base64Url(d % (q - 1n)),
      qi: base64Url(inverse(q, p)),
    },
  })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Returns a prime of half the length of a key, with which the exponent has an inverse. */
const primeOf = (bytes: (count: number) => Uint8Array): bigint => {
  const start = BigInt(`0x${Buffer.from(bytes(keyBits / 16)).toString('hex')}`)
  // The two highest bits, so that the product has the whole length.
  const high = 3n << BigInt(keyBits / 2 - 2)
  for (let candidate = start | high | 1n; ; candidate += 2n)
    if ((candidate - 1n) % exponent !== 0n && checkPrimeSync(candidate)) return candidate
}

/** Returns the inverse of a number modulo another (extended Euclidean algorithm). */
const inverse = (value: bigint, modulus: bigint): bigint => {
  let [a, b] = [value % modulus, modulus]
  let [x, y] = [1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}

const base64Url = (value: bigint): string => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}
