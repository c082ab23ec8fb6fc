import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decodeStrictly } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { readStored } from '../../../../../test/recorded/stored.ts'
import { workerConfigSchema } from '../config/worker-config.ts'
import type { MachinePool } from '../request.ts'
import { hashInputsOf } from './hash-inputs.ts'
import { hashVectors } from './testing/hash-vectors.ts'

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
const hashOf = (data: readonly string[]) => sha256(data.map(sha256).join('')).slice(0, 5)

const configOf = ({ providerConfig }: MachinePool) =>
  providerConfig === undefined ? undefined : decodeStrictly(workerConfigSchema, providerConfig)

describe('a pool has the same hash inputs as in the Go extension', () => {
  test.each(hashVectors)('$name', ({ pool, data, hash, inPlaceHash }) => {
    const inputs = hashInputsOf(pool, configOf(pool)).flatMap(({ datum }) => datum ?? [])
    const ours = [pool.nodeAgentSecretName ?? '', ...(inPlaceHash ? [inPlaceHash] : []), ...inputs]
    const why = `this would roll every node of a pool like "${pool.name}"`
    expect(ours, why).toEqual(data)
    expect(hashOf(ours), why).toBe(hash)
  })
})

interface GoldenVector {
  readonly name: string
  readonly data: readonly string[] | null
  readonly hash?: string
}

test('the vectors that are kept here are those of the Go extension', () => {
  const { hashes } = readStored('worker/hash-vectors.json') as {
    readonly hashes: readonly GoldenVector[]
  }
  const kept = hashVectors.map(({ name, data, hash }) => ({ name, data, hash }))
  expect(kept).toEqual(
    hashes.filter(({ data }) => data !== null).map(({ name, data, hash }) => ({ name, data, hash })),
  )
})
