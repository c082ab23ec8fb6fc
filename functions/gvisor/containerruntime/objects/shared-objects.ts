import type { V1RuntimeClass } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { serviceAccount, systemNamespace } from '../../../../shared/manifests/manifests.ts'

/** Of the account, the class, and in labels of nodes. */
export const runtimeName = 'gvisor'

const runtimeClass: Rendered<V1RuntimeClass> = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: runtimeName },
  handler: 'runsc',
  scheduling: { nodeSelector: { [`containerruntime.worker.gardener.cloud/${runtimeName}`]: 'true' } },
}

/** What a shoot has once, however many of its pools have gVisor. */
export const sharedObjects = [serviceAccount(systemNamespace, runtimeName), runtimeClass]
