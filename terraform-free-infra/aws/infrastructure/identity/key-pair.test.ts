import { createHash, generateKeyPairSync } from 'node:crypto'
import {
  DeleteKeyPairCommand,
  DescribeKeyPairsCommand,
  EC2Client,
  ImportKeyPairCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { clientSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { graphOf, withoutMemory } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import { convergeOver, desiredOf } from '../testing/converge.ts'
import { addKeyPair } from './key-pair.ts'

const name = 'shoot--foo--bar-ssh-publickey'

/** An ed25519 key in OpenSSH's format (RFC 8709). */
const newKey = (): string => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const blob = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(raw)])
  return `ssh-ed25519 ${blob.toString('base64')} test`
}
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const graphFor = (sshPublicKey: string | undefined, destroying = false) => {
  const graph = graphOf<AwsCloud>()
  addKeyPair(graph, desiredOf({ sshPublicKey }), { destroying })
  return graph.build()
}

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const ec2 = new EC2Client(clientSettings(aws))
  const writes = () => {
    const actions = aws.calls.all().map(({ action }) => action)
    return actions.filter(action => action !== 'DescribeKeyPairs')
  }
  const there = async () => (await ec2.send(new DescribeKeyPairsCommand({}))).KeyPairs ?? []
  return { aws, ec2, ...convergeOver(aws.requestHandler, clock), writes, there }
}

describe('the key pair of the nodes', () => {
  test('is imported with its tags, and not written again', async () => {
    const { converge, writes, there } = setUp()
    const key = newKey()
    const { state } = await converge(graphFor(key))
    const [pair] = await there()
    expect(pair).toMatchObject({
      KeyName: name,
      Tags: expect.arrayContaining([
        { Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' },
        { Key: 'Name', Value: 'shoot--foo--bar' },
      ]),
    })
    expect(withoutMemory(state)).toEqual({
      KeyPair: name,
      KeyPairFingerprint: pair?.KeyFingerprint,
      KeyPairSpecFingerprint: md5(key),
    })
    await converge(graphFor(key), { state })
    expect(writes()).toEqual(['ImportKeyPair'])
  })

  test('is reimported if the Infrastructure has another key', async () => {
    const { converge, aws, writes } = setUp()
    const { state } = await converge(graphFor(newKey()))
    aws.calls.clear()
    const key = newKey()
    const { state: after } = await converge(graphFor(key), { state })
    expect(writes()).toEqual(['DeleteKeyPair', 'ImportKeyPair'])
    expect(after.KeyPairSpecFingerprint).toBe(md5(key))
    expect(after.KeyPairFingerprint).not.toBe(state.KeyPairFingerprint)
  })

  test('is reimported if its key was replaced externally', async () => {
    const { converge, aws, ec2, writes, there } = setUp()
    const key = newKey()
    const { state } = await converge(graphFor(key))
    await ec2.send(new DeleteKeyPairCommand({ KeyName: name }))
    await ec2.send(new ImportKeyPairCommand({ KeyName: name, PublicKeyMaterial: Buffer.from(newKey()) }))
    aws.calls.clear()
    await converge(graphFor(key), { state })
    expect(writes()).toEqual(['DeleteKeyPair', 'ImportKeyPair'])
    expect((await there()).map(({ KeyFingerprint }) => KeyFingerprint)).toEqual([state.KeyPairFingerprint])
  })

  test('is removed if the Infrastructure no longer has a key', async () => {
    const { converge, there } = setUp()
    const { state } = await converge(graphFor(newKey()))
    expect(withoutMemory((await converge(graphFor(undefined), { state })).state)).toEqual({})
    expect(await there()).toEqual([])
  })

  test('is deleted with the rest, even if it is not in the state', async () => {
    const { converge, there } = setUp()
    const key = newKey()
    await converge(graphFor(key))
    await converge(graphFor(key, true), { state: { VPC: 'vpc-1' }, destroy: true })
    expect(await there()).toEqual([])
  })

  test('is not that of another landscape with the tags of the cluster', async () => {
    const { converge, ec2, there } = setUp()
    const Tags = [{ Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' }]
    await ec2.send(
      new ImportKeyPairCommand({
        KeyName: name,
        PublicKeyMaterial: Buffer.from(newKey()),
        TagSpecifications: [{ ResourceType: 'key-pair', Tags }],
      }),
    )
    const before = await there()
    await expect(converge(graphFor(newKey()))).rejects.toThrow('InvalidKeyPair.Duplicate')
    await converge(graphFor(undefined))
    await converge(graphFor(newKey(), true), { state: { VPC: 'vpc-1' }, destroy: true })
    expect(await there()).toEqual(before)
  })

  test('is never a foreign one with the same name', async () => {
    const { converge, ec2, there, writes } = setUp()
    await ec2.send(new ImportKeyPairCommand({ KeyName: name, PublicKeyMaterial: Buffer.from(newKey()) }))
    await expect(converge(graphFor(newKey()))).rejects.toThrow('InvalidKeyPair.Duplicate')
    // The state after that attempt.
    const state = { 'Creating/KeyPair': '2026-11-21T00:00:00.000Z' }
    await expect(converge(graphFor(newKey()), { state })).rejects.toThrow('InvalidKeyPair.Duplicate')
    // One by the user, and one by each attempt: an attempt does not wait for it to be listed.
    expect(writes()).toHaveLength(3)
    await converge(graphFor(newKey(), true), { destroy: true })
    expect(await there()).toHaveLength(1)
  })
})
