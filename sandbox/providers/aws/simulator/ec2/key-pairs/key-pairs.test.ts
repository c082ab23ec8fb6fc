import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import {
  CreateKeyPairCommand,
  DeleteKeyPairCommand,
  DescribeKeyPairsCommand,
  type EC2Client,
  ImportKeyPairCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const field = (bytes: Buffer | string): Buffer => {
  const content = Buffer.from(bytes)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

/** Encodes a number as SSH does: with a leading zero byte if the first bit is set. */
const number = (base64url: string): Buffer => {
  const bytes = Buffer.from(base64url, 'base64url')
  return (bytes[0] ?? 0) >= 128 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes
}

const rsaKey = () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { e = '', n = '' } = publicKey.export({ format: 'jwk' })
  const blob = Buffer.concat([field('ssh-rsa'), field(number(e)), field(number(n))])
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const md5 = createHash('md5').update(der).digest('hex')
  return { text: `ssh-rsa ${blob.toString('base64')} me@home`, fingerprint: md5.replace(/(..)(?!$)/g, '$1:') }
}

const ed25519Key = () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const blob = Buffer.concat([field('ssh-ed25519'), field(Buffer.from(x, 'base64url'))])
  const fingerprint = createHash('sha256').update(blob).digest('base64')
  return { text: `ssh-ed25519 ${blob.toString('base64')}`, fingerprint }
}

const setUp = () => network.ec2ClientOf(createAws())

const importKey = (client: EC2Client, KeyName: string, text: string) =>
  client.send(
    new ImportKeyPairCommand({
      KeyName,
      PublicKeyMaterial: Buffer.from(text),
      TagSpecifications: network.named('key-pair', 'shoot'),
    }),
  )

describe('importing a key', () => {
  test.each([
    ['rsa', rsaKey()],
    ['ed25519', ed25519Key()],
  ])(
    'an imported key of type %s has the fingerprint that AWS computes',
    async (type, { text, fingerprint }) => {
      const client = setUp()
      const made = await importKey(client, 'shoot-ssh-publickey', text)
      expect(made).toMatchObject({ KeyFingerprint: fingerprint, Tags: [{ Key: 'Name', Value: 'shoot' }] })
      const { KeyPairs } = await client.send(
        new DescribeKeyPairsCommand({ KeyNames: ['shoot-ssh-publickey'], IncludePublicKey: true }),
      )
      expect(KeyPairs).toMatchObject([{ KeyType: type, KeyFingerprint: fingerprint, PublicKey: text }])
    },
  )

  test.each([
    '',
    'nonsense',
    'ssh-rsa AAAA',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA',
    '-----BEGIN PUBLIC KEY-----',
  ])('a key cannot be %j', async text => {
    expect(await failureOf(importKey(setUp(), 'name', text))).toMatchObject({
      name: expect.stringMatching(/^InvalidKey\.Format$|^MissingParameter$/),
    })
  })

  test('a key is deleted by name or id, even if it does not exist', async () => {
    const client = setUp()
    const { KeyPairId } = await importKey(client, 'name', ed25519Key().text)
    expect(await client.send(new DeleteKeyPairCommand({ KeyName: 'name' }))).toMatchObject({
      Return: true,
      KeyPairId,
    })
    expect(await client.send(new DeleteKeyPairCommand({ KeyName: 'name' }))).toMatchObject({ Return: true })
    expect(await client.send(new DeleteKeyPairCommand({ KeyPairId }))).toMatchObject({ Return: true })
    expect((await client.send(new DescribeKeyPairsCommand({}))).KeyPairs).toEqual([])
  })
})

test('a key created by EC2 is returned with its private key and has a fingerprint of it', async () => {
  const client = setUp()
  const made = await client.send(new CreateKeyPairCommand({ KeyName: 'made' }))
  const key = createPrivateKey(made.KeyMaterial ?? '')
  const sha1 = createHash('sha1')
    .update(key.export({ type: 'pkcs8', format: 'der' }))
    .digest('hex')
  expect(made.KeyFingerprint?.replaceAll(':', '')).toBe(sha1)
  const { KeyPairs } = await client.send(new DescribeKeyPairsCommand({ IncludePublicKey: true }))
  const { n = '' } = key.export({ format: 'jwk' })
  const [, blob = ''] = KeyPairs?.[0]?.PublicKey?.split(' ') ?? []
  expect(Buffer.from(blob, 'base64').includes(Buffer.from(n, 'base64url'))).toBe(true)
  expect(await failureOf(importKey(client, 'made', rsaKey().text))).toMatchObject({
    name: 'InvalidKeyPair.Duplicate',
  })
})
