import type { Machine, MachineDeployment, MachineSet } from '../../../shared/contract/objects.ts'
import { type ControllerContext, hashLabel } from '../context.ts'
import { sizeOf } from './deployment-status.ts'

/** Set on a Machine of a pool that is updated manually. The real controller has it on the Node. */
const selectedLabel = 'node.machine.sapcloud.io/selected-for-update'

/** Returns true if machines of a deployment move from one set to another. The sets may then not resize. */
export const isUpdatedInPlace = (
  { spec }: MachineDeployment,
  sets: readonly MachineSet[],
  newest: MachineSet,
): boolean =>
  spec?.strategy?.type === 'InPlaceUpdate' &&
  sets.some(set => set.metadata.name !== newest.metadata.name && sizeOf(set) > 0)

const mayGo = (deployment: MachineDeployment, { metadata, status }: Machine): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.currentStatus?.phase === 'Running' &&
  (deployment.spec?.strategy?.inPlaceUpdate?.orchestrationType === 'Auto' ||
    metadata.labels?.[selectedLabel] !== undefined)

/**
 * Moves one machine of an older set to the newest set without replacing it. Sets grow before the move and shrink after
 * it, so an interruption never adds or removes a machine. Resolves to true if a machine was moved.
 */
export const updateOneInPlace = async (
  { machines, sets }: ControllerContext,
  deployment: MachineDeployment,
  newest: MachineSet,
  older: readonly MachineSet[],
): Promise<boolean> => {
  const all = machines.list(newest.metadata.namespace ?? '')
  const ownedBy = ({ metadata }: MachineSet) =>
    all.filter(machine => machine.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
  for (const set of older) {
    const machine = ownedBy(set).find(one => mayGo(deployment, one))
    if (machine === undefined) continue
    const { apiVersion, kind, metadata, spec } = newest
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid }
    await sets.patch(newest, { spec: { replicas: ownedBy(newest).length + 1 } })
    await machines.patch(machine, {
      metadata: {
        uid: machine.metadata.uid,
        labels: { [hashLabel]: metadata.labels?.[hashLabel], [selectedLabel]: null },
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      },
      spec: { class: spec?.template?.spec?.class },
    })
    await sets.patch(set, { spec: { replicas: ownedBy(set).length - 1 } })
    return true
  }
  return false
}
