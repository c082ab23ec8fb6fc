import type { Cluster, WorkerPool } from '../../contract/objects.ts'
import { hashOf } from '../hash.ts'
import { FieldError } from '../problems.ts'
import type { HashInput, PoolClasses } from '../provider.ts'
import { inPlaceHashOf } from './in-place-hash.ts'

/** Whether the machines of a pool are updated in place, by the controller or by hand, and not replaced. */
export const isInPlace = ({ updateStrategy }: WorkerPool): boolean =>
  updateStrategy === 'AutoInPlaceUpdate' || updateStrategy === 'ManualInPlaceUpdate'

/**
 * The five characters at the end of the names of a pool's classes: another hash is another class, and makes every machine
 * of the pool be replaced (docs/contract/workers.md#hash).
 *
 * @param inputs all that is hashed (`classInputs`)
 */
export const classHash = (inputs: readonly Pick<HashInput, 'datum'>[]): string =>
  hashOf(
    inputs.flatMap(({ datum }) => datum ?? []),
    5,
  )

/**
 * All that is hashed for the classes of a pool, in this order: what every provider hashes, then the provider's. Throws a
 * `CodedError` for a pool that has no hash.
 */
export const classInputs = (
  { pool, hashInputs }: Pick<PoolClasses, 'pool' | 'hashInputs'>,
  cluster: Cluster,
): readonly HashInput[] => [
  { name: nodeAgentSecret, datum: nodeAgentSecretOf(pool) },
  ...(isInPlace(pool) ? [{ name: inPlace, datum: inPlaceHashOf(pool, cluster) }] : []),
  ...hashInputs,
]

/** Made by gardenlet of the machine type, the image, the root volume and the minor version of Kubernetes. */
export const nodeAgentSecret = 'name of the Secret of the node agent'
export const inPlace = 'hash of what is updated in place'

const nodeAgentSecretOf = ({ name, nodeAgentSecretName }: WorkerPool): string => {
  if (nodeAgentSecretName) return nodeAgentSecretName
  throw new FieldError(`missing node-agent secret name for worker pool "${name}"`, {
    field: 'nodeAgentSecretName',
    wayOut: 'gardenlet writes it: have the shoot reconciled',
  })
}
