import { machineApiVersion } from '../../../shared/contract/constants.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { MachineDeployment } from '../../../shared/contract/objects.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'

/**
 * Reports a MachineDeployment as a machine controller does when all its machines are available: the MachineSet of its
 * class, and the numbers of its status. The time of machines in a cloud is not part of the measurement.
 */
export const makeAvailable = async (kubernetes: Kubernetes, deployment: MachineDeployment): Promise<void> => {
  const { name, namespace = '', uid = '', generation } = deployment.metadata
  const { replicas = 0, template } = deployment.spec ?? {}
  const { MachineSet, MachineDeployment: kind } = machineKinds
  await kubernetes.create(MachineSet.resource, {
    apiVersion: machineApiVersion,
    kind: 'MachineSet',
    metadata: {
      name: `${name}-12345`,
      namespace,
      labels: { name },
      ownerReferences: [
        { apiVersion: machineApiVersion, kind: 'MachineDeployment', name, uid, controller: true },
      ],
    },
    spec: { replicas, template },
  })
  const status = {
    observedGeneration: generation,
    replicas,
    updatedReplicas: replicas,
    availableReplicas: replicas,
    conditions: [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }],
  }
  await kubernetes.patch(kind.resource, { name, namespace }, { status }, { subresource: 'status' })
}
