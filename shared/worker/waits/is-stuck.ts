import { parseTimestamp, type Timestamp } from '../../clock/clock.ts'
import type { MachineDeployment, MachineSet } from '../../contract/objects.ts'
import { classNameOf, setsOf } from './owned.ts'

/** Maximum time for the machine controller to create the set of a new deployment, in ms. */
const patienceMs = 2 * 60_000

/**
 * Returns true if the machine controller has observed a deployment but creates no set of its class
 * (docs/contract/workers.md#machine-controller-that-does-nothing).
 */
export const isStuck = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  now: Timestamp,
): boolean => {
  const { finalizers = [], creationTimestamp } = deployment.metadata
  const created = parseTimestamp(creationTimestamp)
  return (
    finalizers.includes('machine.sapcloud.io/machine-controller-manager') &&
    created !== undefined &&
    now - created > patienceMs &&
    !setsOf(deployment, sets).some(set => classNameOf(set) === classNameOf(deployment))
  )
}
