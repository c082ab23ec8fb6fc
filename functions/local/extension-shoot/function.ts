import type { Extension } from '../../../shared/contract/objects.ts'
import { extensionFlow, extensionPermissions } from '../../../shared/extension/extension.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { serviceAccount, systemNamespace } from '../../../shared/manifests/manifests.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import {
  ensureTestPolicies,
  isForceDeletionTested,
  removeTestPolicies,
  testPolicyPermissions,
} from './forced-deletion-policies.ts'
import { name, nameLabels } from './names.ts'

/**
 * Extensions of type `local-ext-shoot` (docs/contract/provider-local.md#extensions): an account in the shoot, and the
 * objects for the test of forced deletions.
 */
const extensionActuator = (): Actuator<Extension> => {
  const flow = extensionFlow({
    resource: {
      name,
      key: 'data.yaml.br',
      secretPrefix: 'managedresource-',
      keepObjects: false,
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
    },
    objects: () => [serviceAccount(systemNamespace, name, { labels: nameLabels })],
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

/** Extensions of type `local-ext-shoot`: an object in a shoot. */
export const definition = defineFunction({
  name: 'local-extension-shoot',
  kind: 'Extension',
  type: 'local-ext-shoot',
  classes: ['shoot', 'garden'],
  resyncMs: 60 * 60_000,
  registration: { workerlessSupported: true },
  permissions: [...extensionPermissions, ...testPolicyPermissions],
  create: extensionActuator,
})
