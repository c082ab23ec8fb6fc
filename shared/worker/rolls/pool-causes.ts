import {
  classHash,
  inPlace,
  inPlaceInputs,
  nodeAgentSecret,
  type WithCredentials,
} from '../desired/class-hash.ts'
import type { HashInput } from '../provider.ts'
import type { HashCause } from '../rollout/hash-causes.ts'
import type { FuturePool } from './worker-pools.ts'

/** The hashed data of a pool's classes, as `classInputs` returns them. */
export interface HashedPool {
  readonly inputs: readonly HashInput[]
  /** The same, with each composite value in its parts. */
  readonly parts: readonly HashInput[]
}

/** Returns the data of `inputs` in the words of users: a Secret's name or a hash in the values that it covers. */
export const partsOf = (
  inputs: readonly HashInput[],
  { pool, nodeAgentInputs }: FuturePool,
  cluster: WithCredentials,
): readonly HashInput[] =>
  inputs
    .flatMap((input): readonly HashInput[] => {
      if (input.name === nodeAgentSecret) return nodeAgentInputs
      return input.name === inPlace ? inPlaceInputs(pool, cluster) : [input]
    })
    .flatMap(input => input.parts ?? [input])

/**
 * Returns the changed values of a pool that gets other classes, or undefined if its classes stay. The list is empty if
 * only the order of the values changes.
 */
export const poolCauses = (former: HashedPool, next: HashedPool): readonly HashCause[] | undefined => {
  if (classHash(former.inputs) === classHash(next.inputs)) return undefined
  const causes = changesOf(former.parts, next.parts)
  if (causes.length > 0) return causes
  // A composite value whose parts are equal, such as a text with other fields.
  return changesOf(former.inputs, next.inputs).map(({ name }) => ({ name, from: undefined, to: undefined }))
}

const changesOf = (former: readonly HashInput[], next: readonly HashInput[]): readonly HashCause[] => {
  const [before, after] = [byName(former), byName(next)]
  return [...new Set([...after.keys(), ...before.keys()])].flatMap(name => {
    const [from, to] = [before.get(name), after.get(name)]
    return from === to ? [] : [{ name, from, to }]
  })
}

const byName = (inputs: readonly HashInput[]): ReadonlyMap<string, string | undefined> =>
  new Map(inputs.map(({ name, datum }) => [name, datum]))
