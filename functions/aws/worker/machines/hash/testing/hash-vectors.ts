import { readFileSync } from 'node:fs'
import type { MachinePool } from '../../request.ts'

/** A pool and the hash inputs that the Go extension computes for it. */
export interface HashVector {
  readonly name: string
  readonly pool: MachinePool
  /** The texts that enter the hash. The name of the node agent's Secret is the first. */
  readonly data: readonly string[]
  /** The suffix of the class's name. */
  readonly hash: string
  /** The hash of a pool that is updated in place: the second entry of `data`. */
  readonly inPlaceHash?: string
}

const { base, vectors } = JSON.parse(readFileSync(new URL('hash-vectors.json', import.meta.url), 'utf8')) as {
  readonly base: MachinePool
  readonly vectors: readonly HashVector[]
}

/** Each pool is the first one with changes. Null removes a field. */
export const hashVectors: readonly HashVector[] = vectors.map(vector => ({
  ...vector,
  pool: Object.fromEntries(
    Object.entries({ ...base, ...vector.pool }).filter(([, value]) => value !== null),
  ) as MachinePool,
}))
