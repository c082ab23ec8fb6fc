import type { ManagedResource } from '../../contract/objects.ts'
import { done, type StepResult } from '../../lifecycle/lifecycle.ts'
import {
  deleteManagedResource,
  goneWait,
  listManagedResources,
  longestDeletionMs,
  orphanObjects,
  removeSecretsOf,
  resourceTexts,
  waitForResources,
} from '../../resources/resources.ts'
import { removeAccessSecrets } from '../../shoot/shoot.ts'
import type { ControlPlaneProvider } from '../provider.ts'
import { type ResourceName, resourceNames } from '../resource-names.ts'
import { type ControlPlaneStep, idOf, namespaceOf, secretsManagerOf } from './control-plane-step.ts'

/**
 * - `delete`: deletes everything
 * - `force`: the same, without waiting
 * - `migrate`: retains the objects in the shoot, and the generated Secrets that gardenlet migrates
 */
export type RemovalMode = 'delete' | 'force' | 'migrate'

const { webhooks, configuration, seed, shoot, crds, storageClasses } = resourceNames

/** ManagedResources with objects that the shoot retains when it moves. */
const kept: readonly ResourceName[] = [shoot, crds, storageClasses]

/**
 * The order of deletions and the waits between them (docs/contract/control-planes.md#removal). Controllers remain until
 * they have cleaned up the shoot.
 */
const stages: readonly {
  readonly removed: readonly ResourceName[]
  readonly gone: readonly ResourceName[]
  readonly progress: number
}[] = [
  { removed: [storageClasses, crds], gone: [crds], progress: 20 },
  { removed: [shoot], gone: [storageClasses, shoot], progress: 50 },
]

/** The content of each ManagedResource, for errors. */
const contents: Readonly<Record<ResourceName, string>> = {
  [webhooks]: 'shoot webhooks',
  [configuration]: 'configuration chart',
  [seed]: 'control plane chart',
  [shoot]: 'control plane shoot chart',
  [crds]: 'shoot CRDs chart',
  [storageClasses]: 'storage classes chart',
}

/** Names the objects that a ControlPlane may leave behind. */
export const controlPlaneOrphans = (step: Pick<ControlPlaneStep, 'object'>): readonly string[] => [
  ...resourceTexts(namespaceOf(step), Object.values(resourceNames)),
  `Secrets of the control plane in the namespace ${namespaceOf(step)}`,
]

/** Deletes the ControlPlane's objects. Ignores missing ones, so a step after a wait repeats the same work safely. */
export const removeControlPlane = async (
  provider: ControlPlaneProvider,
  step: ControlPlaneStep,
  mode: RemovalMode,
): Promise<StepResult> => {
  const { kubernetes } = step
  const namespace = namespaceOf(step)
  let observed = await listManagedResources(kubernetes, namespace)
  if (mode === 'migrate') {
    for (const name of kept) await orphanObjects(kubernetes, { namespace, name }, observed.get(name) ?? null)
  }

  const remove = async (names: readonly ResourceName[]): Promise<void> => {
    let isAsked = false
    for (const name of names) {
      const present = observed.get(name) ?? null
      if (present?.metadata.deletionTimestamp !== undefined) continue
      if (await deleteManagedResource(kubernetes, { namespace, name }, present)) isAsked = true
    }
    if (isAsked) observed = await listManagedResources(kubernetes, namespace)
  }
  const awaitGone = (names: readonly ResourceName[], progress: number): StepResult | undefined => {
    if (mode === 'force') return undefined
    for (const name of names) {
      const result = awaitRemoval(step, name, observed.get(name), progress)
      if (result !== undefined) return result
    }
    return undefined
  }

  for (const { removed, gone, progress } of stages) {
    await remove(removed)
    const waiting = awaitGone(gone, progress)
    if (waiting !== undefined) return waiting
  }
  await remove([seed, configuration])
  await removeAccessSecrets(kubernetes, namespace, provider.shootAccess)
  await remove([webhooks])
  const waiting = awaitGone([webhooks], 80)
  if (waiting !== undefined) return waiting

  await removeSecretsOf(
    kubernetes,
    namespace,
    Object.values(resourceNames).map(name => ({ name })),
  )
  const manager = secretsManagerOf(provider, step)
  await (mode === 'migrate' ? manager.removeUnpersisted() : manager.removeAll())
  return done()
}

const awaitRemoval = (
  step: ControlPlaneStep,
  name: ResourceName,
  present: ManagedResource | undefined,
  progress: number,
): StepResult | undefined =>
  waitForResources(
    step,
    {
      name: `${name} gone`,
      doing: `error while waiting for managed resource containing ${contents[name]} for controlplane '${idOf(step)}' to be deleted`,
      longestMs: longestDeletionMs,
      progress,
    },
    [goneWait({ namespace: namespaceOf(step), name }, present)],
  )
