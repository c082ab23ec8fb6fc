import type { AuthorityConfig, CertificateConfig, PasswordConfig } from '../config.ts'

/**
 * Returns the label `checksum-of-config` of a CA or a certificate (docs/contract/secrets-manager.md#hash-of-a-config).
 * For a CA it equals that of the Go extension. For a signed certificate it omits the signing CA, which Go hashes with
 * all fields of its parsed certificate; `checksum-of-signing-ca` identifies the CA anyway.
 */
export const certificateChecksum = (config: AuthorityConfig | CertificateConfig): string => {
  const { name, commonName, organization, validityMs, kind } = config
  const signed = kind === 'ca' ? undefined : config
  return structureHash({
    type: 'CertificateSecretConfig',
    fields: [
      ['Name', name],
      ['CommonName', commonName],
      ['Organization', organization],
      ['DNSNames', signed?.dnsNames],
      ['IPAddresses', signed?.ipAddresses],
      ['CertType', kind],
      ['Validity', validityMs === undefined ? undefined : BigInt(validityMs) * 1_000_000n],
      ['SkipPublishingCACertificate', signed?.skipPublishingCaCertificate],
      ['IncludeCACertificateInServerChain', signed?.includeCaCertificateInServerChain],
    ],
  })
}

/** Returns the label of a password. Equals that of the Go extension. Its validity is not hashed. */
export const passwordChecksum = ({ name, username, passwordLength }: PasswordConfig): string =>
  structureHash({
    type: 'BasicAuthSecretConfig',
    fields: [
      ['Name', name],
      ['Format', 'normal'],
      ['Username', username],
      ['PasswordLength', BigInt(passwordLength)],
    ],
  })

/** Returns the label of the bundle of these certificates, PEM, starting with the current one. */
export const bundleChecksum = (name: string, certificates: readonly string[]): string =>
  structureHash({
    type: 'CertificateBundleSecretConfig',
    fields: [
      ['Name', name],
      ['CertificatePEMs', certificates.map(pem => new TextEncoder().encode(pem))],
    ],
  })

/** A value of a structure. The hash distinguishes kinds: a bigint is a 64-bit integer, bytes are a list. */
type HashedValue = string | boolean | bigint | Uint8Array | readonly HashedValue[]

/** A Go struct: the name of its type, and its fields in the order of declaration. */
export interface HashedStructure {
  readonly type: string
  readonly fields: readonly (readonly [name: string, value: HashedValue | undefined])[]
}

/** 64 bits, least significant byte first. */
type Hash = Uint8Array

/**
 * Returns the hash by which Gardener names generated secrets (docs/contract/secrets-manager.md#hash-of-a-config), as a
 * decimal number. Fields that are undefined or have the zero value of their type (empty, false, 0) are ignored.
 */
export const structureHash = ({ type, fields }: HashedStructure): string => {
  const hash = fields
    .filter(([, value]) => value !== undefined && !isZero(value))
    .reduce<Hash>(
      (sum, [name, value]) => fnv1(xor(sum, fnv1(joined(hashOf(name), hashOf(value ?? ''))))),
      hashOf(type),
    )
  return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0, true).toString()
}

const isZero = (value: HashedValue): boolean =>
  typeof value === 'object' ? value.length === 0 : value === '' || value === false || value === 0n

const hashOf = (value: HashedValue): Hash => {
  if (typeof value === 'string') return fnv1(new TextEncoder().encode(value))
  if (typeof value === 'boolean') return fnv1(Uint8Array.of(value ? 1 : 0))
  if (typeof value === 'bigint') return fnv1(bytesOf(value))
  if (value instanceof Uint8Array) return hashOfList(value, byte => fnv1(Uint8Array.of(byte)))
  return hashOfList(value, hashOf)
}

const hashOfList = <E>(list: Iterable<E>, hashOfElement: (element: E) => Hash): Hash => {
  const pair = new Uint8Array(16)
  for (const element of list) {
    pair.set(hashOfElement(element), 8)
    pair.set(fnv1(pair))
  }
  return pair.subarray(0, 8)
}

const bytesOf = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, value, true)
  return bytes
}

const xor = (a: Hash, b: Hash): Hash => a.map((byte, index) => byte ^ (b[index] ?? 0))

const joined = (a: Hash, b: Hash): Uint8Array => Uint8Array.of(...a, ...b)

/**
 * 64-bit FNV-1: for each byte, multiply by the prime 2^40 + 0x1b3, then xor. Uses 32-bit halves, because a bundle has
 * thousands of bytes and bigint products are slow.
 */
const fnv1 = (bytes: Uint8Array): Hash => {
  let high = 0xcbf29ce4
  let low = 0x84222325
  for (let index = 0; index < bytes.length; index++) {
    const product = low * 0x1b3
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0
    low = ((product >>> 0) ^ (bytes[index] ?? 0)) >>> 0
  }
  const hash = new Uint8Array(8)
  for (let index = 0; index < 4; index++) {
    hash[index] = low >>> (8 * index)
    hash[index + 4] = high >>> (8 * index)
  }
  return hash
}
