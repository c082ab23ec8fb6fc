import type {
  CreateKeyPairRequest,
  DeleteKeyPairRequest,
  DeleteKeyPairResult,
  DescribeKeyPairsRequest,
  DescribeKeyPairsResult,
  ImportKeyPairRequest,
  ImportKeyPairResult,
  KeyPairInfo,
  KeyPair as KeyPairOut,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { isVisible } from '../core/describe/find.ts'
import { listRows, seen } from '../core/describe/list.ts'
import { invalidValue, missingParameter, unsupported } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import type { KeyPair } from '../rows/compute.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'
import { newRsaKey } from './new-key.ts'
import { parsePublicKey } from './public-key.ts'

const view = (row: KeyPair, withKey: boolean): KeyPairInfo => ({
  KeyPairId: row.id,
  KeyName: row.name,
  KeyType: row.type,
  KeyFingerprint: row.fingerprint,
  CreateTime: new Date(row.createdAt),
  ...(withKey ? { PublicKey: row.publicKey } : {}),
  Tags: tagsOut(row.tags),
})

const fields: FilterFields<KeyPair> = {
  fingerprint: row => row.fingerprint,
  'key-name': row => row.name,
  'key-pair-id': row => row.id,
}

const noSuchKeyPair = (name: string) =>
  refuse('InvalidKeyPair.NotFound', `The key pair '${name}' does not exist`)

/** @throws AwsError InvalidKeyPair.NotFound */
export const keyPairByName = (ec2: Ec2, name: string): KeyPair => {
  const [row] = ec2.tables.keyPairs.by('key-name', name)
  if (!row || !isVisible(ec2, row)) throw noSuchKeyPair(name)
  return row
}

/** The same for a describing call, which may not see a deletion yet. */
const seenByName = (ec2: Ec2, name: string): KeyPair => {
  const rows = seen(ec2, 'keyPairs', ec2.tables.keyPairs.by('key-name', name))
  const row = rows.find(each => each.name === name)
  if (!row) throw noSuchKeyPair(name)
  return row
}

/** Checks that a key name is valid and unused. */
const checkName = (ec2: Ec2, name: string): string => {
  if (name === '' || name.length > 255 || /[^\x20-\x7e]/.test(name)) {
    throw invalidValue(
      `Value (${name}) for parameter keyName is invalid. It must be up to 255 ASCII characters.`,
    )
  }
  if (ec2.tables.keyPairs.by('key-name', name).length > 0) {
    throw refuse('InvalidKeyPair.Duplicate', `The keypair already exists`)
  }
  return name
}

export const keyPairOperations = {
  CreateKeyPair: operation<CreateKeyPairRequest, KeyPairOut>(
    { KeyName: true, KeyType: true, KeyFormat: true, TagSpecifications: acceptsTags },
    (input, ec2) => {
      if ((input.KeyType ?? 'rsa') !== 'rsa') throw unsupported(`keys of the type ${input.KeyType}`)
      if ((input.KeyFormat ?? 'pem') !== 'pem') throw unsupported(`keys in the format ${input.KeyFormat}`)
      const name = checkName(ec2, input.KeyName ?? '')
      const tags = newTags(input.TagSpecifications, 'key-pair')
      const { material, ...key } = newRsaKey()
      const row: KeyPair = { ...ec2.newResource('key', tags), ...key, name, type: 'rsa' }
      ec2.tables.keyPairs.put(row)
      return {
        KeyPairId: row.id,
        KeyName: row.name,
        KeyFingerprint: row.fingerprint,
        KeyMaterial: material,
        Tags: tagsOut(row.tags),
      }
    },
  ),
  ImportKeyPair: operation<ImportKeyPairRequest, ImportKeyPairResult>(
    { KeyName: true, PublicKeyMaterial: true, TagSpecifications: acceptsTags },
    (input, ec2) => {
      const name = checkName(ec2, input.KeyName ?? '')
      const text = Buffer.from(input.PublicKeyMaterial ?? []).toString()
      const key = parsePublicKey(text)
      if (!key) throw refuse('InvalidKey.Format', 'Key is not in valid OpenSSH public key format')
      const tags = newTags(input.TagSpecifications, 'key-pair')
      const row: KeyPair = {
        ...ec2.newResource('key', tags),
        name,
        type: key.type,
        fingerprint: key.fingerprint,
        publicKey: text.trim(),
      }
      ec2.tables.keyPairs.put(row)
      return {
        KeyPairId: row.id,
        KeyName: row.name,
        KeyFingerprint: row.fingerprint,
        Tags: tagsOut(row.tags),
      }
    },
  ),
  DescribeKeyPairs: operation<DescribeKeyPairsRequest, DescribeKeyPairsResult>(
    { KeyNames: true, KeyPairIds: true, Filters: true, IncludePublicKey: true },
    (input, ec2) => {
      const ids = [
        ...(input.KeyNames ?? []).map(name => seenByName(ec2, name).id),
        ...(input.KeyPairIds ?? []),
      ]
      const { items } = listRows(ec2, 'keyPairs', fields, { ids, filters: input.Filters })
      return { KeyPairs: items.map(row => view(row, input.IncludePublicKey ?? false)) }
    },
  ),
  /** Succeeds also if no such pair exists, by name or by id. */
  DeleteKeyPair: operation<DeleteKeyPairRequest, DeleteKeyPairResult>(
    { KeyName: true, KeyPairId: true },
    (input, ec2) => {
      const { keyPairs } = ec2.tables
      if (input.KeyName === undefined && input.KeyPairId === undefined) throw missingParameter('KeyName')
      const row =
        input.KeyPairId === undefined
          ? keyPairs.by('key-name', input.KeyName ?? '')[0]
          : keyPairs.get(input.KeyPairId)
      if (!row) return { Return: true }
      keyPairs.remove(row.id)
      return { Return: true, KeyPairId: row.id }
    },
  ),
}
