import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { EC2Client, ImportKeyPairCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { clientSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { isSameFingerprint, keyFingerprint } from './key-pairs.ts'

const field = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
const openSsh = (type: string, ...fields: readonly Buffer[]): string =>
  `${type} ${Buffer.concat([Buffer.from(type), ...fields].map(field)).toString('base64')} gardener@test`

const jwkOf = (key: { export(options: { format: 'jwk' }): JsonWebKey }) => {
  const { e = '', n = '', x = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return { e: bytes(e), n: Buffer.concat([Buffer.from([0]), bytes(n)]), x: bytes(x) }
}

const rsa = () => {
  const { e, n } = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)
  return openSsh('ssh-rsa', e, n)
}
const ed25519 = () => openSsh('ssh-ed25519', jwkOf(generateKeyPairSync('ed25519').publicKey).x)

test.each([
  ['RSA', rsa],
  ['ED25519', ed25519],
])('the fingerprint of a key of %s equals that of EC2', async (_, make) => {
  const key = make()
  const { KeyFingerprint } = await new EC2Client(clientSettings(shuffledAws())).send(
    new ImportKeyPairCommand({ KeyName: 'nodes', PublicKeyMaterial: Buffer.from(key) }),
  )
  expect(isSameFingerprint(keyFingerprint(key), KeyFingerprint)).toBe(true)
  expect(isSameFingerprint(keyFingerprint(make()), KeyFingerprint)).toBe(false)
})

test.each([[''], ['ssh-rsa'], ['ssh-rsa AAAA'], ['ecdsa-sha2-nistp256 AAAA x']])(
  'a text that is not a key of a known type has no fingerprint: %j',
  key => {
    expect(keyFingerprint(key)).toBeUndefined()
    expect(isSameFingerprint(keyFingerprint(key), undefined)).toBe(false)
  },
)
