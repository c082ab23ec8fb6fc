import type { Clock } from '../../../shared/clock/clock.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  kubeconfigAccess,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { ReadShootState } from '../../../shared/worker/worker.ts'

const shootStates = {
  group: 'core.gardener.cloud',
  version: 'v1beta1',
  plural: 'shootstates',
  namespaced: true,
}

/** Reads ShootStates of the garden with a kubeconfig file. Opens the file on the first read. */
export const gardenShootStates = (file: string, clock: Clock): ReadShootState => {
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
