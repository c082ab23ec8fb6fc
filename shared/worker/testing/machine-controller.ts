import { completeMachines } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import type { Kubernetes } from '../../kubernetes/kubernetes.ts'

const finalizer = 'machine.sapcloud.io/machine-controller-manager'

/** The machine controller of a stepped seed, and its finalizers: objects in deletion are gone after its next run. */
export const machineController = (kubernetes: Kubernetes) => {
  const holdOrRelease = async () => {
    for (const { resource } of [
      machineKinds.MachineDeployment,
      machineKinds.Machine,
      machineKinds.MachineClass,
    ])
      for (const { metadata } of (await kubernetes.list(resource)).items) {
        const { name, namespace = '', deletionTimestamp } = metadata
        const finalizers = deletionTimestamp === undefined ? [finalizer] : null
        await kubernetes.patch(resource, { name, namespace }, { metadata: { finalizers } })
      }
  }
  return {
    run: async () => {
      await holdOrRelease()
      await completeMachines(kubernetes)
      await holdOrRelease()
    },
  }
}
