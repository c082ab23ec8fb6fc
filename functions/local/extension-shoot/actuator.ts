import type { V1ServiceAccount } from '@kubernetes/client-node'
import type { Extension } from '../../../shared/contract/objects.ts'
import { extensionFlow } from '../../../shared/extension/extension.ts'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureTestPolicies, isForceDeletionTested, removeTestPolicies } from './forced-deletion-policies.ts'
import { name, nameLabels } from './names.ts'

/**
 * Extensions of type `local-ext-shoot` (docs/contract/provider-local.md#extensions): an account in the shoot, and the
 * objects for the test of forced deletions.
 */
export const extensionActuator = (): Actuator<Extension> => {
  const flow = extensionFlow({
    resource: {
      name,
      key: 'data.yaml.br',
      secretPrefix: 'managedresource-',
      keepObjects: false,
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
    },
    objects: () => [account],
  })
  return {
    ...flow,
    reconcile: async step => {
      if (isForceDeletionTested(step.cluster)) await ensureTestPolicies(step)
      return flow.reconcile(step)
    },
    remove: async step => {
      await removeTestPolicies(step)
      return flow.remove(step)
    },
    forceRemove: async step => {
      await removeTestPolicies(step)
      return flow.forceRemove(step)
    },
  }
}

const account: Rendered<V1ServiceAccount> = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'kube-system', labels: nameLabels },
  automountServiceAccountToken: false,
}
