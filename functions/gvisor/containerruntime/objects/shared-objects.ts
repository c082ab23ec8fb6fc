import type { V1RuntimeClass } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { serviceAccount, systemNamespace } from '../../../../shared/manifests/manifests.ts'

/** The name of the account and the class, and part of node labels. */
export const runtimeName = 'gvisor'

const runtimeClass: Rendered<V1RuntimeClass> = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: runtimeName },
  handler: 'runsc',
  scheduling: { nodeSelector: { [`containerruntime.worker.gardener.cloud/${runtimeName}`]: 'true' } },
}

/** Objects that a shoot has once, for all its pools with gVisor. */
export const sharedObjects = [serviceAccount(systemNamespace, runtimeName), runtimeClass]
