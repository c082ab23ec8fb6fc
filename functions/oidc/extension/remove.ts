import {
  deleteManagedResource,
  goneWait,
  longestDeletionMs,
  orphanObjects,
  readManagedResource,
  removeSecretsOf,
  waitForResources,
} from '../../../build/library/resources.ts'
import { createSecretsManager } from '../../../build/library/secrets.ts'
import { removeAccessSecrets } from '../../../build/library/shoot.ts'
import {
  done,
  type Extension,
  type ManagedResource,
  type StepContext,
  type StepResult,
} from '../../../build/library/trellis.ts'
import { authenticatorName, identities } from './api-server/oidc.ts'
import { seedName, shootName } from './managed-resources.ts'
import { classOf } from './target.ts'

/**
 * - `delete`: deletes everything
 * - `force`: the same, without waiting
 * - `migrate`: retains the objects in the shoot, and the generated Secrets that gardenlet migrates
 */
export type ExtensionRemoval = 'delete' | 'force' | 'migrate'

const names = [seedName, shootName]

/** Deletes the Extension. Ignores objects that are already gone, so a step after a wait repeats the same calls. */
export const removeExtension = async (
  step: StepContext<Extension>,
  mode: ExtensionRemoval,
): Promise<StepResult> => {
  const { object, kubernetes, clock, signal } = step
  const { namespace = '' } = object.metadata
  const read = () => Promise.all(names.map(name => readManagedResource(kubernetes, { name, namespace })))

  const present = await read()
  if (mode === 'migrate') await orphanObjects(kubernetes, { name: shootName, namespace }, present[1] ?? null)
  for (const [index, name] of names.entries())
    await deleteManagedResource(kubernetes, { name, namespace }, present[index] ?? null)
  if (mode !== 'force') {
    const waiting = awaitGone(step, await read())
    if (waiting !== undefined) return waiting
  }

  await removeSecretsOf(
    kubernetes,
    namespace,
    names.map(name => ({ name, secretPrefix: 'managedresource-' })),
  )
  await removeAccessSecrets(kubernetes, namespace, [authenticatorName])
  const identity = identities[classOf(object)]
  const manager = createSecretsManager({ kubernetes, clock, signal, namespace, identity, configs: [] })
  await (mode === 'migrate' ? manager.removeUnpersisted() : manager.removeAll())
  return done()
}

const awaitGone = (
  step: StepContext<Extension>,
  left: readonly (ManagedResource | undefined)[],
): StepResult | undefined => {
  const { namespace = '' } = step.object.metadata
  return waitForResources(
    step,
    {
      name: 'OIDC authenticator gone',
      doing: 'could not wait for the managed resources of the OIDC authenticator to be deleted',
      longestMs: longestDeletionMs,
      progress: 50,
    },
    names.map((name, index) => goneWait({ name, namespace }, left[index])),
  )
}
