import { fileURLToPath } from 'node:url'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { reconciledObjects } from './reconciled-objects.ts'

/** The example of a Worker, as it is applied. */
export const example = fileURLToPath(new URL('../../../examples/worker/two-pools.yaml', import.meta.url))

/** All objects of a seed in which the example runs: itself, its Cluster, Secrets, and what the function has made. */
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
