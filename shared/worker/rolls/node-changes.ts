import { isDeepStrictEqual } from 'node:util'
import type { WorkerPool } from '../../contract/objects.ts'
import {
  classHash,
  classInputs,
  inPlace,
  inPlaceInputs,
  nodeAgentSecret,
  type WithCredentials,
} from '../desired/class-hash.ts'
import type { HashInput } from '../provider.ts'
import type { HashCause } from '../rollout/hash-causes.ts'
import { type NodesShoot, type PoolOfShoot, readShoot } from './read-shoot.ts'
import { newOperations, rolledByHand, withOperations } from './requested-operations.ts'
import { type FuturePool, workerPoolOf } from './worker-pools.ts'

/** The number of affected nodes. The garden knows only the limits of a pool. */
export interface NodeCount {
  readonly least: number
  readonly most: number
}

/** The nodes of a pool are replaced or updated, because its classes or their machines are. */
export interface PoolRolled {
  readonly kind: 'replaced' | 'updated in place' | 'updated in place manually'
  readonly pool: string
  readonly nodes: NodeCount
  /** Empty: only the order of its values changes. */
  readonly causes: readonly HashCause[]
}

/** An effect of a changed Shoot on its present nodes. */
export type NodeChange =
  | PoolRolled
  | { readonly kind: 'removed'; readonly pool: string; readonly nodes: NodeCount }
  | { readonly kind: 'hibernated'; readonly nodes: NodeCount }

/** Returns the provider's part of a pool's hash. Throws an Error for a pool that can have no machines. */
export type HashInputsOf = (pool: WorkerPool) => readonly HashInput[]

/**
 * Returns the effects of a changed Shoot on its present nodes, by the code that names the MachineClasses of a Worker.
 * Pure. Throws an Error for a Shoot of another form, and for a changed pool without a hash.
 *
 * @example nodeChanges(machineHashInputs, { former: oldObject, next: object })
 */
export const nodeChanges = (
  hashInputs: HashInputsOf,
  objects: { readonly former: unknown; readonly next: unknown },
): readonly NodeChange[] => {
  const [former, next] = [readShoot(objects.former), readShoot(objects.next)]
  const [before, after] = [poolsIn(former), poolsIn(next)]
  if (isHibernated(former)) return []
  if (isHibernated(next)) return ofNodes({ kind: 'hibernated', nodes: sum(before.map(nodesOf)) })
  const operations = newOperations(former, next)
  const requested = withOperations(next, operations)
  const byHand = rolledByHand(operations)
  const isShootSame = isDeepStrictEqual(sharedBy(former), sharedBy(requested))
  const wanted = new Map(after.map(pool => [pool.name, pool]))
  return before.flatMap((pool): readonly NodeChange[] => {
    const now = wanted.get(pool.name)
    if (now === undefined) return ofNodes({ kind: 'removed', pool: pool.name, nodes: nodesOf(pool) })
    // Most updates change no pool, and hashes are the expensive part of a review.
    const isSame = isShootSame && isDeepStrictEqual(pool, now)
    const causes = isSame
      ? undefined
      : poolCauses(hashed(hashInputs, former, pool), hashed(hashInputs, requested, now))
    const isByHand = byHand.has(pool.name)
    if (causes === undefined && !isByHand) return []
    return ofNodes({
      kind: kindOf(now),
      pool: pool.name,
      nodes: remaining(pool, now),
      causes: [...(causes ?? []), ...(isByHand ? [rollout] : [])],
    })
  })
}

/** The fields of a Shoot that decide about the classes of every pool. */
const sharedBy = ({ spec: { kubernetes, systemComponents }, status }: NodesShoot) => ({
  kubernetes,
  systemComponents,
  status,
})

const rollout: HashCause = { name: 'rollout-workers', from: undefined, to: undefined }

/** A change of no node is none. */
const ofNodes = (change: NodeChange): readonly NodeChange[] => (change.nodes.most > 0 ? [change] : [])

const hashed = (hashInputs: HashInputsOf, shoot: NodesShoot, from: PoolOfShoot): HashedPool => {
  const future = workerPoolOf(shoot, from)
  const cluster = { spec: { shoot } }
  const inputs: readonly HashInput[] = classInputs(
    { pool: future.pool, hashInputs: hashInputs(future.pool) },
    cluster,
  )
  return { inputs, parts: partsOf(inputs, future, cluster) }
}

const kindOf = (pool: PoolOfShoot): PoolRolled['kind'] => {
  if (pool.updateStrategy === 'ManualInPlaceUpdate') return 'updated in place manually'
  return pool.updateStrategy === 'AutoInPlaceUpdate' ? 'updated in place' : 'replaced'
}

const poolsIn = ({ spec }: NodesShoot): readonly PoolOfShoot[] => spec.provider.workers ?? []
const isHibernated = ({ spec }: NodesShoot): boolean => spec.hibernation?.enabled === true

const nodesOf = ({ minimum, maximum }: PoolOfShoot): NodeCount => ({ least: minimum, most: maximum })

/** Nodes above a lower maximum are deleted, not replaced. */
const remaining = (pool: PoolOfShoot, { maximum }: PoolOfShoot): NodeCount => ({
  least: Math.min(pool.minimum, maximum),
  most: Math.min(pool.maximum, maximum),
})

const sum = (counts: readonly NodeCount[]): NodeCount => ({
  least: counts.reduce((total, { least }) => total + least, 0),
  most: counts.reduce((total, { most }) => total + most, 0),
})

/** The hashed data of a pool's classes, as `classInputs` returns them. */
interface HashedPool {
  readonly inputs: readonly HashInput[]
  /** The same, with each composite value in its parts. */
  readonly parts: readonly HashInput[]
}

/** Returns the data of `inputs` in the words of users: a Secret's name or a hash in the values that it covers. */
const partsOf = (
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
const poolCauses = (former: HashedPool, next: HashedPool): readonly HashCause[] | undefined => {
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
