import { fileURLToPath } from 'node:url'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { reconciledObjects } from './reconciled-objects.ts'

/** The example of a Worker, as a user applies it. */
export const example = fileURLToPath(new URL('../../../examples/worker/two-pools.yaml', import.meta.url))

/**
 * Returns all objects of a seed with the example: itself, its Cluster, Secrets, and the objects that the function has
 * created.
 */
export const reconciledWorker = (): Promise<readonly KubernetesObject[]> =>
  reconciledObjects({
    example,
    event: 'worker-create',
    resources: {
      Cluster: clusterKind.resource,
      Secret: secrets,
      Worker: kinds.Worker.resource,
      MachineDeployment: machineKinds.MachineDeployment.resource,
      MachineClass: machineKinds.MachineClass.resource,
      MachineSet: machineKinds.MachineSet.resource,
      Machine: machineKinds.Machine.resource,
    },
  })
