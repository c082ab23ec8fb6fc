import { readFileSync } from 'node:fs'
import type { MachinePool } from '../../request.ts'

/** A pool, and what the functions of the Go extension hash of it. */
export interface HashVector {
  readonly name: string
  readonly pool: MachinePool
  /** The texts whose hashes are hashed, the name of the node agent's Secret first. */
  readonly data: readonly string[]
  /** The end of the class's name. */
  readonly hash: string
  /** Of a pool that is updated in place: the second of the data. */
  readonly inPlaceHash?: string
}

const { base, vectors } = JSON.parse(readFileSync(new URL('hash-vectors.json', import.meta.url), 'utf8')) as {
  readonly base: MachinePool
  readonly vectors: readonly HashVector[]
}

/** Each pool is the first one, changed; null is a field that it does not have. */
export const hashVectors: readonly HashVector[] = vectors.map(vector => ({
  ...vector,
  pool: Object.fromEntries(
    Object.entries({ ...base, ...vector.pool }).filter(([, value]) => value !== null),
  ) as MachinePool,
}))
