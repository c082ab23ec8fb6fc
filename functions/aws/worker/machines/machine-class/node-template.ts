import { canonicalQuantity } from '../../../../../shared/contract/quantity.ts'
import type { NodeTemplate } from '../../../../../shared/worker/worker.ts'
import type { Quantities, WorkerConfig } from '../config/worker-config.ts'
import type { MachinePool } from '../request.ts'

/**
 * Returns the node properties that the autoscaler expects: those of the pool, overridden by the capacities of the
 * WorkerConfig. Undefined if neither has any.
 */
export const nodeTemplateOf = (
  pool: MachinePool,
  config: WorkerConfig | undefined,
  { region, zone, architecture }: Pick<NodeTemplate, 'region' | 'zone'> & { readonly architecture: string },
): NodeTemplate | undefined => {
  const own = config?.nodeTemplate
  if (pool.nodeTemplate === undefined && own?.capacity === undefined && own?.virtualCapacity === undefined)
    return undefined
  const virtualCapacity = { ...pool.nodeTemplate?.virtualCapacity, ...own?.virtualCapacity }
  return {
    capacity: canonical({ ...pool.nodeTemplate?.capacity, ...own?.capacity }),
    ...(Object.keys(virtualCapacity).length > 0 && { virtualCapacity: canonical(virtualCapacity) }),
    instanceType: pool.machineType,
    region,
    zone,
    architecture,
  }
}

const canonical = (quantities: Quantities): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(quantities).map(([name, value]) => [name, canonicalQuantity(value)]))
