import type { Cluster, WorkerPool } from '../../contract/objects.ts'
import { hashOf } from '../hash.ts'
import { FieldError } from '../problems.ts'
import type { HashInput, PoolClasses } from '../provider.ts'
import { inPlaceHashOf } from './in-place-hash.ts'

/** Returns true if the pool's machines are updated in place, automatically or manually, instead of being replaced. */
export const isInPlace = ({ updateStrategy }: WorkerPool): boolean =>
  updateStrategy === 'AutoInPlaceUpdate' || updateStrategy === 'ManualInPlaceUpdate'

/**
 * Returns the last five characters of the names of a pool's classes. A new hash means a new class and replaces every
 * machine of the pool (docs/contract/workers.md#hash).
 *
 * @param inputs all hashed data (`classInputs`)
 */
export const classHash = (inputs: readonly Pick<HashInput, 'datum'>[]): string =>
  hashOf(
    inputs.flatMap(({ datum }) => datum ?? []),
    5,
  )

/**
 * Returns all data hashed for the classes of a pool, in order: first the data common to all providers, then the
 * provider's. Throws a `CodedError` for a pool without a hash.
 */
export const classInputs = (
  { pool, hashInputs }: Pick<PoolClasses, 'pool' | 'hashInputs'>,
  cluster: Cluster,
): readonly HashInput[] => [
  { name: nodeAgentSecret, datum: nodeAgentSecretOf(pool) },
  ...(isInPlace(pool) ? [{ name: inPlace, datum: inPlaceHashOf(pool, cluster) }] : []),
  ...hashInputs,
]

/** gardenlet derives it from the machine type, the image, the root volume and the minor version of Kubernetes. */
export const nodeAgentSecret = 'name of the Secret of the node agent'
export const inPlace = 'hash of what is updated in place'

const nodeAgentSecretOf = ({ name, nodeAgentSecretName }: WorkerPool): string => {
  if (nodeAgentSecretName) return nodeAgentSecretName
  throw new FieldError(`missing node-agent secret name for worker pool "${name}"`, {
    field: 'nodeAgentSecretName',
    wayOut: 'gardenlet writes it. Reconcile the shoot',
  })
}
