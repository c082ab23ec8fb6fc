import * as z from 'zod'
import type { Clock } from '../../../shared/clock/clock.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  kubeconfigAccess,
} from '../../../shared/kubernetes/kubernetes.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { type ReadShootState, workerFlow, workerPermissions } from '../../../shared/worker/worker.ts'
import { awsMachines } from './aws-machines.ts'
import { workerHealth } from './health.ts'

const workerSettings = z.object({
  gardenKubeconfig: z.string().default('').meta({
    description:
      'Kubeconfig file of the garden, for a restore: its ShootState lists the running machines. Empty: only the status of the Worker lists them.',
    // The variable that the deployment sets with `gardenAccess`.
    env: 'GARDEN_KUBECONFIG',
  }),
})

/** Workers of type `aws`: MachineClasses and MachineDeployments for the machine controller, which calls AWS. */
export const definition = defineFunction({
  name: 'aws-worker',
  kind: 'Worker',
  type: 'aws',
  classes: ['shoot'],
  settings: workerSettings,
  permissions: workerPermissions,
  health: workerHealth,
  service: {
    reaches: ['shoots'],
    maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: {
      value: 40,
      why: 'Steps wait for the API server, but each step of a large Worker holds its lists of machines in memory.',
    },
  },
  create: ({ gardenKubeconfig }, { clock }) =>
    workerFlow(
      awsMachines,
      gardenKubeconfig === '' ? {} : { readShootState: gardenShootStates(gardenKubeconfig, clock) },
    ),
})

const shootStates = {
  group: 'core.gardener.cloud',
  version: 'v1beta1',
  plural: 'shootstates',
  namespaced: true,
}

/** Reads ShootStates of the garden with a kubeconfig file. Opens the file on the first read. */
const gardenShootStates = (file: string, clock: Clock): ReadShootState => {
  let opened: Promise<Kubernetes> | undefined
  const open = async (): Promise<Kubernetes> => {
    const transport = httpTransport({ access: await kubeconfigAccess({ file, clock }) })
    return createKubernetes({ transport: transport.send, clock })
  }
  return async (key, signal) => {
    opened ??= open().catch(error => {
      opened = undefined
      throw error
    })
    return (await opened).get(shootStates, key, { signal })
  }
}
