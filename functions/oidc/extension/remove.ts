import { removeManagedResources } from '../../../build/library/resources.ts'
import { createSecretsManager } from '../../../build/library/secrets.ts'
import { removeAccessSecrets } from '../../../build/library/shoot.ts'
import { done, type Extension, type StepContext, type StepResult } from '../../../build/library/trellis.ts'
import { authenticatorName, identities } from './api-server/oidc.ts'
import { seedName, shootName } from './managed-resources.ts'
import { classOf } from './target.ts'

/**
 * - `delete`: deletes everything
 * - `force`: the same, without waiting
 * - `migrate`: retains the objects in the shoot, and the generated Secrets that gardenlet migrates
 */
export type ExtensionRemoval = 'delete' | 'force' | 'migrate'

const secretPrefix = 'managedresource-'

/** Deletes the Extension. Ignores objects that are already gone, so a step after a wait repeats the same calls. */
export const removeExtension = async (
  step: StepContext<Extension>,
  mode: ExtensionRemoval,
): Promise<StepResult> => {
  const { object, kubernetes, clock, signal } = step
  const { namespace = '' } = object.metadata
  const waiting = await removeManagedResources(step, {
    namespace,
    resources: [
      { name: seedName, secretPrefix },
      { name: shootName, secretPrefix, orphans: mode === 'migrate' },
    ],
    doing: 'could not wait for the managed resources of the OIDC authenticator to be deleted',
    isForced: mode === 'force',
  })
  if (waiting !== undefined) return waiting
  await removeAccessSecrets(kubernetes, namespace, [authenticatorName])
  const identity = identities[classOf(object)]
  const manager = createSecretsManager({ kubernetes, clock, signal, namespace, identity, configs: [] })
  await (mode === 'migrate' ? manager.removeUnpersisted() : manager.removeAll())
  return done()
}
