import type { Extension, ManagedResource } from '../contract/objects.ts'
import { idOf, type KubernetesObject } from '../kubernetes/kubernetes.ts'
import { type Actuator, done, type StepContext, type StepResult } from '../lifecycle/lifecycle.ts'
import {
  type ReferencedResource,
  type ReferenceOptions,
  readReference,
  statusResources,
} from '../references/references.ts'
import {
  type DesiredManagedResource,
  deleteManagedResource,
  ensureManagedResource,
  goneWait,
  healthyWait,
  longestDeletionMs,
  type ManagedResourceKey,
  orphanObjects,
  readManagedResource,
  removeSecretsOf,
  resourceTexts,
  waitForResources,
} from '../resources/resources.ts'
import {
  caRotationOf,
  createSecretsManager,
  type GeneratedSecrets,
  lostAuthorityType,
  reportLost,
  type SecretConfig,
  type SecretsManagerOptions,
} from '../secrets-manager/secrets-manager.ts'

export { resourcePermissions as extensionPermissions } from '../resources/resources.ts'

/** A reference to an item of the Shoot's `spec.resources`. */
export interface ResourceReference extends ReferenceOptions {
  /** The name in `spec.resources`. */
  readonly name: string
}

/** The input for the objects of an Extension. */
export interface ExtensionInput {
  /** The resources of `references`, in their order. */
  readonly references: readonly ReferencedResource[]
  /** The Secrets of `secrets.configs`, by config name. */
  readonly secrets: Pick<GeneratedSecrets, 'current' | 'bundle'>
}

/** The author's part of an Extension. */
export interface ExtensionProvider {
  /** The ManagedResource in the namespace of each object. Without a class, its objects are those of the shoot. */
  readonly resource: Omit<DesiredManagedResource, 'namespace' | 'objects'>
  readonly objects: (
    step: StepContext<Extension>,
    input: ExtensionInput,
  ) => readonly KubernetesObject[] | Promise<readonly KubernetesObject[]>
  /**
   * The resources of the Shoot that the object uses (`readReference`). The success lists them in `status.resources`, so
   * they move with the shoot. Absent: none, and `status.resources` is not written.
   */
  readonly references?: (step: StepContext<Extension>) => readonly ResourceReference[]
  /**
   * CAs, certificates and passwords that the secrets manager of `identity` generates, rotates with the shoot, and cleans
   * up. A deletion removes them, a migration those that do not `persist`. Absent: none.
   */
  readonly secrets?: Pick<SecretsManagerOptions, 'identity' | 'createKeyPair'> & {
    readonly configs: (step: StepContext<Extension>) => readonly SecretConfig[]
  }
  /**
   * Longest wait of a reconcile for healthy objects, in milliseconds, or `Infinity`. Absent or undefined: it does not
   * wait.
   */
  readonly healthyWithinMs?: (step: StepContext<Extension>) => number | undefined
}

/**
 * An Extension that consists of one ManagedResource (docs/contract/kinds.md#extension). A restore is a reconcile, a
 * migrated shoot retains its objects, and a forced deletion does not wait. Needs `resourcePermissions`.
 *
 * @example
 * const actuator = extensionFlow({
 *   resource: { name: 'greeting', class: 'seed', key: 'data.yaml' },
 *   references: ({ object }) => [{ name: String(object.spec.providerConfig?.secretRef), keys: ['token'] }],
 *   objects: (_, { references: [token] }) => [
 *     {
 *       apiVersion: 'v1',
 *       kind: 'ConfigMap',
 *       metadata: { name: 'greeting', namespace },
 *       data: { tokenFrom: token?.copy.name },
 *     },
 *   ],
 *   healthyWithinMs: () => 120_000,
 * })
 */
export const extensionFlow = (
  provider: ExtensionProvider,
): Required<Pick<Actuator<Extension>, 'reconcile' | 'remove' | 'forceRemove' | 'orphans' | 'migrate'>> => {
  const { resource } = provider
  const keyOf = ({ object }: Pick<StepContext<Extension>, 'object'>) => ({
    name: resource.name,
    namespace: object.metadata.namespace ?? '',
  })
  return {
    reconcile: step => reconcileResource(provider, step, keyOf(step)),
    remove: async step =>
      (await removeResource(step, resource, keyOf(step))) ?? removeSecrets(provider, step, 'removeAll'),
    forceRemove: async step => {
      await deleteManagedResource(step.kubernetes, keyOf(step))
      return removeSecrets(provider, step, 'removeAll')
    },
    orphans: ({ object: { metadata } }) => resourceTexts(metadata.namespace ?? '', [resource.name]),
    migrate: async step => {
      const key = keyOf(step)
      const observed = await readManagedResource(step.kubernetes, key)
      if (resource.class === undefined) await orphanObjects(step.kubernetes, key, observed ?? null)
      return (
        (await removeResource(step, resource, key, observed ?? null)) ??
        removeSecrets(provider, step, 'removeUnpersisted')
      )
    },
  }
}

const reconcileResource = async (
  provider: ExtensionProvider,
  step: StepContext<Extension>,
  key: ManagedResourceKey,
): Promise<StepResult> => {
  const { resource, references, healthyWithinMs = () => undefined } = provider
  const used = await Promise.all(
    (references?.(step) ?? []).map(({ name, ...options }) => readReference(step, name, options)),
  )
  const generated = await secretsManagerOf(provider, step)?.generate()
  const objects = await provider.objects(step, { references: used, secrets: generated ?? noSecrets })
  const { outcome, managedResource } = await ensureManagedResource(step.kubernetes, {
    ...resource,
    ...key,
    objects,
  })
  if (outcome !== 'same') step.log.info('managed resource', { object: idOf(key), outcome })
  // A ManagedResource in deletion must be gone before it is recreated, even if the reconcile does not wait for health.
  const longestMs = outcome === 'deleting' ? longestDeletionMs : healthyWithinMs(step)
  if (longestMs !== undefined) {
    const waiting = waitForResources(
      step,
      {
        name: outcome === 'deleting' ? 'gone-to-be-made' : 'healthy',
        doing: `could not wait for managed resource ${key.name} to be healthy`,
        longestMs,
        progress: 50,
      },
      [healthyWait(key, managedResource, 'ignored')],
    )
    if (waiting !== undefined) return waiting
  }
  const status = references && { resources: statusResources(used) }
  if (generated === undefined) return done(status)
  const { condition, isReported } = reportLost(step, generated)
  if (isReported) await generated.cleanUp()
  return { kind: 'done', ...(status && { status }), conditions: { [lostAuthorityType]: condition } }
}

const secretsManagerOf = ({ secrets }: Pick<ExtensionProvider, 'secrets'>, step: StepContext<Extension>) =>
  secrets &&
  createSecretsManager({
    kubernetes: step.kubernetes,
    clock: step.clock,
    signal: step.signal,
    namespace: step.object.metadata.namespace ?? '',
    identity: secrets.identity,
    configs: secrets.configs(step),
    rotation: step.cluster && caRotationOf(step.cluster),
    ...(secrets.createKeyPair && { createKeyPair: secrets.createKeyPair }),
  })

const noSecret = (name: string): never => {
  throw new Error(`the generated secret ${name} has no config`)
}
const noSecrets: ExtensionInput['secrets'] = { current: noSecret, bundle: noSecret }

/** Removes the generated Secrets after the objects that use them. */
const removeSecrets = async (
  { secrets }: ExtensionProvider,
  step: StepContext<Extension>,
  how: 'removeAll' | 'removeUnpersisted',
): Promise<StepResult> => {
  // The configs of an object in deletion do not matter, and its spec may be wrong.
  await (secrets && secretsManagerOf({ secrets: { ...secrets, configs: () => [] } }, step)?.[how]())
  return done()
}

/** Deletes the ManagedResource, waits until it is gone, and then removes its Secrets. Undefined: all is gone. */
const removeResource = async (
  step: StepContext,
  resource: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  key: ManagedResourceKey,
  observed?: ManagedResource | null,
): Promise<StepResult | undefined> => {
  const { kubernetes } = step
  if (await deleteManagedResource(kubernetes, key, observed)) {
    const waiting = waitForResources(
      step,
      {
        name: 'gone',
        doing: `could not wait for managed resource ${key.name} to be deleted`,
        longestMs: longestDeletionMs,
        progress: 50,
      },
      [goneWait(key, await readManagedResource(kubernetes, key))],
    )
    if (waiting !== undefined) return waiting
  }
  await removeSecretsOf(kubernetes, key.namespace, [resource])
  return undefined
}
