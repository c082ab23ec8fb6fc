import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Crc32c, Crc64Nvme } from '@aws-sdk/checksums/crc'
import { notBuilt } from '../../../serve/not-built.ts'
import { refuse } from '../../../service.ts'
import type { Checksum } from '../../state.ts'

interface Digest {
  update(data: Uint8Array): void
  digest(): Promise<Uint8Array>
}

const unsigned32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

const hashed = (name: string) => async (data: Uint8Array) => createHash(name).update(data).digest()
const digested = (make: () => Digest) => async (data: Uint8Array) => {
  const digest = make()
  digest.update(data)
  return digest.digest()
}

/** The function and the result length in bytes of each algorithm. */
const algorithms: Readonly<
  Record<string, { readonly length: number; of(data: Uint8Array): Promise<Uint8Array> }>
> = {
  CRC32: { length: 4, of: async data => unsigned32(crc32(data)) },
  CRC32C: { length: 4, of: digested(() => new Crc32c()) },
  CRC64NVME: { length: 8, of: digested(() => new Crc64Nvme()) },
  SHA1: { length: 20, of: hashed('sha1') },
  SHA256: { length: 32, of: hashed('sha256') },
}

/** Base64. */
export const checksumOf = async (algorithm: string, data: Uint8Array): Promise<string> => {
  const known = algorithms[algorithm]
  if (!known) throw notBuilt(`the checksum algorithm ${algorithm}`)
  return Buffer.from(await known.of(data)).toString('base64')
}

const header = (algorithm: string): string => `x-amz-checksum-${algorithm.toLowerCase()}`
const names = [...Object.keys(algorithms), 'SHA512', 'MD5', 'XXHASH64', 'XXHASH3', 'XXHASH128']

/** Returns the checksum in a request's headers, if any. */
export const claimedChecksum = (
  headers: Readonly<Record<string, string>>,
): { readonly algorithm: string; readonly value: string } | undefined => {
  const found = names.flatMap(algorithm => {
    const value = headers[header(algorithm)]
    return value === undefined ? [] : [{ algorithm, value }]
  })
  return found[0]
}

/**
 * Compares a body with its checksum.
 *
 * @throws AwsError InvalidRequest or BadDigest
 */
export const checkChecksum = async (
  claimed: { readonly algorithm: string; readonly value: string },
  body: Uint8Array,
): Promise<void> => {
  const { algorithm, value } = claimed
  const computed = await checksumOf(algorithm, body)
  if (computed !== value) {
    throw refuse('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
  }
}

/** Returns the checksum to store for a whole body: the claimed one, else CRC64NVME, which S3 computes itself. */
export const checksumToStore = async (
  claimed: { readonly algorithm: string; readonly value: string } | undefined,
  body: Uint8Array,
): Promise<Checksum> =>
  claimed
    ? { ...claimed, type: 'FULL_OBJECT' }
    : { algorithm: 'CRC64NVME', value: await checksumOf('CRC64NVME', body), type: 'FULL_OBJECT' }

/** Returns the output members for a checksum. */
export const showChecksum = ({ algorithm, value, type }: Checksum): Record<string, string> => ({
  [`Checksum${algorithm}`]: value,
  ChecksumType: type,
})
