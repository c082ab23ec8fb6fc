import { parseTimestamp, type Timestamp } from '../../clock/clock.ts'
import type { MachineDeployment, MachineSet } from '../../contract/objects.ts'
import { classNameOf, setsOf } from './owned.ts'

/** How long the machine controller may take for the set of a new deployment, in ms. */
const patienceMs = 2 * 60_000

/**
 * Whether the machine controller has taken up a deployment and makes no set of its class: then it hangs
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
