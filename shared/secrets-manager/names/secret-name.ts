import { createHash } from 'node:crypto'

export interface SecretNameInput {
  readonly config: string
  /** The label `checksum-of-config`. */
  readonly configChecksum: string
  /** The label `checksum-of-signing-ca`. Absent: not signed by a CA. */
  readonly caChecksum?: string | undefined
  /** The label `last-rotation-initiation-time`: seconds since the epoch, or empty. */
  readonly rotation: string
}

/** Returns the name of a generated Secret (docs/contract/secrets-manager.md#names). */
export const secretName = ({ config, configChecksum, caChecksum = '', rotation }: SecretNameInput): string =>
  [
    config,
    sha256(`${configChecksum}${caChecksum}`).slice(0, 8),
    ...(rotation === '' ? [] : [sha256(rotation).slice(0, 5)]),
  ].join('-')

/** Returns the SHA-256 of the SHA-256 of each value, ordered by key. Keys are not hashed. Input is base64. */
export const dataChecksum = (data: Readonly<Record<string, string>>): string =>
  sha256(
    Object.keys(data)
      .sort()
      .map(key => sha256(Buffer.from(data[key] ?? '', 'base64')))
      .join(''),
  )

/** Returns the label `checksum-of-signing-ca`: the checksum, cut to the length of a label. */
export const caChecksumOf = (data: Readonly<Record<string, string>>): string =>
  dataChecksum(data).slice(0, 63)

const sha256 = (value: string | Uint8Array): string => createHash('sha256').update(value).digest('hex')
