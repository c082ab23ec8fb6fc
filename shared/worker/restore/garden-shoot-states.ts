import * as z from 'zod'
import type { Clock } from '../../clock/clock.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  kubeconfigAccess,
} from '../../kubernetes/kubernetes.ts'
import type { ReadShootState } from '../flow/restore.ts'

/** The settings of a Worker function for a restore. */
export const gardenSettings = z.object({
  gardenKubeconfig: z.string().default('').meta({
    description:
      'Kubeconfig file of the garden. A restore reads the running machines in its ShootState. Empty: only in the status of the Worker.',
    // The variable that the deployment sets with `gardenAccess`.
    env: 'GARDEN_KUBECONFIG',
  }),
})

const shootStates = {
  group: 'core.gardener.cloud',
  version: 'v1beta1',
  plural: 'shootstates',
  namespaced: true,
}

/**
 * Returns the options of `workerFlow` for these settings. ShootStates are read with the kubeconfig file, which is opened
 * on the first read.
 */
export const gardenOptions = (
  { gardenKubeconfig: file }: z.output<typeof gardenSettings>,
  clock: Clock,
): { readonly readShootState?: ReadShootState } => {
  if (file === '') return {}
  let opened: Promise<Kubernetes> | undefined
  const open = async (): Promise<Kubernetes> => {
    const transport = httpTransport({ access: await kubeconfigAccess({ file, clock }) })
    return createKubernetes({ transport: transport.send, clock })
  }
  return {
    readShootState: async (key, signal) => {
      opened ??= open().catch(error => {
        opened = undefined
        throw error
      })
      return (await opened).get(shootStates, key, { signal })
    },
  }
}
