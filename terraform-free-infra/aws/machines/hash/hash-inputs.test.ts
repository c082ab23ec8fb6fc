import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decodeStrictly } from '../../config/config.ts'
import { workerConfigSchema } from '../config/worker-config.ts'
import type { WorkerPool } from '../request.ts'
import { hashInputsOf } from './hash-inputs.ts'
import { hashVectors } from './testing/hash-vectors.ts'

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
const hashOf = (data: readonly string[]) => sha256(data.map(sha256).join('')).slice(0, 5)

const configOf = ({ providerConfig }: WorkerPool) =>
  providerConfig === undefined ? undefined : decodeStrictly(workerConfigSchema, providerConfig)

describe('a pool is hashed by what the Go extension hashes it by', () => {
  test.each(hashVectors)('$name', ({ pool, data, hash, inPlaceHash }) => {
    const inputs = hashInputsOf(pool, configOf(pool)).flatMap(({ datum }) => datum ?? [])
    const ours = [pool.nodeAgentSecretName ?? '', ...(inPlaceHash ? [inPlaceHash] : []), ...inputs]
    const why = `this would roll every node of a pool like "${pool.name}"`
    expect(ours, why).toEqual(data)
    expect(hashOf(ours), why).toBe(hash)
  })
})
