import { createHash, createPublicKey } from 'node:crypto'
import { DescribeKeyPairsCommand, type KeyPairInfo } from '@aws-sdk/client-ec2'
import type { Observation } from '../../../engine/engine.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isDoneWith, isOwned, type Purpose, readTags } from '../tags.ts'

export const keyPairWhat = 'key pair'
export const keyPairKey = 'KeyPair'

export const keyPairName = ({ clusterName }: Pick<DesiredInfrastructure, 'clusterName'>): string =>
  `${clusterName}-ssh-publickey`

/** Reads the key pairs with a name. There is at most one. */
export const keyPairs = (name: string, purpose: Purpose): Observation<AwsCloud, readonly KeyPairInfo[]> => ({
  name: keyPairWhat,
  observe: async ({ cloud, state, signal }) => {
    if (isDoneWith(state, purpose, { what: keyPairWhat, keys: [keyPairKey] })) return []
    // A request by name would fail if the key pair does not exist.
    const command = new DescribeKeyPairsCommand({ Filters: [{ Name: 'key-name', Values: [name] }] })
    return (await cloud.ec2.send(command, { abortSignal: signal })).KeyPairs ?? []
  },
})

type DesiredKey = Pick<DesiredInfrastructure, 'clusterName' | 'sshPublicKey'>

/**
 * Returns true if a key pair was created for this shoot with a complete infrastructure: it has the cluster's tag, no
 * mark, and the key of the shoot, which is unique to the shoot.
 */
export const isKeyOfShoot = (desired: DesiredKey, pair: KeyPairInfo): boolean =>
  isOwned(desired, pair.Tags) && readTags(pair.Tags)[markTag] === undefined && hasKeyOfShoot(desired, pair)

export const hasKeyOfShoot = (
  { sshPublicKey = '' }: Pick<DesiredInfrastructure, 'sshPublicKey'>,
  { KeyFingerprint }: KeyPairInfo,
): boolean => isSameFingerprint(keyFingerprint(sshPublicKey), KeyFingerprint)

/**
 * Returns the fingerprint that EC2 computes for an imported public key in OpenSSH format: for RSA the MD5 of its DER
 * form, for ED25519 the SHA-256 of the key ("Verify the fingerprint of your key pair", EC2 user guide). Returns
 * undefined for other keys.
 */
export const keyFingerprint = (publicKey: string): string | undefined => {
  const [type, base64 = ''] = publicKey.trim().split(/\s+/)
  const blob = Buffer.from(base64, 'base64')
  if (type === 'ssh-ed25519') return createHash('sha256').update(blob).digest('base64')
  if (type !== 'ssh-rsa') return undefined
  const [, exponent, modulus] = fieldsOf(blob)
  if (exponent === undefined || modulus === undefined) return undefined
  try {
    const jwk = {
      kty: 'RSA',
      e: exponent.toString('base64url'),
      n: withoutSign(modulus).toString('base64url'),
    }
    const der = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })
    return createHash('md5')
      .update(der)
      .digest('hex')
      .replace(/(..)(?!$)/g, '$1:')
  } catch {
    return undefined
  }
}

/** Compares two fingerprints. Ignores the padding of base64. */
export const isSameFingerprint = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && unpadded(one) === unpadded(other)

const unpadded = (fingerprint: string): string => fingerprint.replaceAll('=', '')

/** Returns the fields of a key. Each starts with its length in four bytes (RFC 4253, 6.6). */
const fieldsOf = (blob: Buffer): readonly Buffer[] => {
  const fields: Buffer[] = []
  for (let at = 0; at + 4 <= blob.length; ) {
    const end = at + 4 + blob.readUInt32BE(at)
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

/** A number with its highest bit set needs a leading zero byte. */
const withoutSign = (number: Buffer): Buffer => (number[0] === 0 ? number.subarray(1) : number)
