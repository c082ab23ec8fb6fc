import type { WorkerPool } from '../contract/objects.ts'
import { canonicalQuantity } from '../contract/quantity.ts'
import type { NodeTemplate } from './provider.ts'

type PoolQuantities = Readonly<Record<string, string | number>>

/**
 * Returns the node properties that the autoscaler expects: those of the pool, overridden by the capacities of its
 * WorkerConfig. Undefined if neither has any. Throws an Error for a malformed quantity.
 *
 * @param own `nodeTemplate` of the WorkerConfig
 */
export const nodeTemplateOf = (
  pool: Pick<WorkerPool, 'nodeTemplate' | 'machineType' | 'architecture'>,
  own:
    | {
        readonly capacity?: PoolQuantities | undefined
        readonly virtualCapacity?: PoolQuantities | undefined
      }
    | undefined,
  place: { readonly region: string; readonly zone: string },
): NodeTemplate | undefined => {
  if (pool.nodeTemplate === undefined && own?.capacity === undefined && own?.virtualCapacity === undefined)
    return undefined
  const virtualCapacity = { ...pool.nodeTemplate?.virtualCapacity, ...own?.virtualCapacity }
  return {
    capacity: canonical({ ...pool.nodeTemplate?.capacity, ...own?.capacity }),
    ...(Object.keys(virtualCapacity).length > 0 && { virtualCapacity: canonical(virtualCapacity) }),
    instanceType: pool.machineType,
    ...place,
    architecture: pool.architecture || 'amd64',
  }
}

const canonical = (quantities: PoolQuantities): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(quantities).map(([name, value]) => [name, canonicalQuantity(value)]))
