import type { Extension } from '../contract/objects.ts'
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
  ensureManagedResource,
  healthyWait,
  longestDeletionMs,
  type ManagedResourceKey,
  removeManagedResources,
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

/** The author's part of an Extension, or of an object of another kind (`O`). */
export interface ExtensionProvider<O extends KubernetesObject = Extension> {
  /**
   * The ManagedResource in the namespace of each object. Without a class, its objects are those of the shoot. A function
   * for its name is for kinds with several objects in a namespace.
   */
  readonly resource: Omit<DesiredManagedResource, 'name' | 'namespace' | 'objects'> & {
    readonly name: string | ((object: O) => string)
  }
  readonly objects: (
    step: StepContext<O>,
    input: ExtensionInput,
  ) => readonly KubernetesObject[] | Promise<readonly KubernetesObject[]>
  /**
   * The resources of the Shoot that the object uses (`readReference`). The success lists them in `status.resources`, so
   * they move with the shoot. Absent: none, and `status.resources` is not written.
   */
  readonly references?: (step: StepContext<O>) => readonly ResourceReference[]
  /**
   * CAs, certificates and passwords that the secrets manager of `identity` generates, rotates with the shoot, and cleans
   * up. A deletion removes them, a migration those that do not `persist`. Absent: none.
   */
  readonly secrets?: Pick<SecretsManagerOptions, 'identity' | 'createKeyPair'> & {
    readonly configs: (step: StepContext<O>) => readonly SecretConfig[]
  }
  /**
   * Longest wait of a reconcile for healthy objects, in milliseconds, or `Infinity`. Absent or undefined: it does not
   * wait.
   */
  readonly healthyWithinMs?: (step: StepContext<O>) => number | undefined
  /** Other fields of the status after a success. Absent: none. */
  readonly status?: (step: StepContext<O>) => Readonly<Record<string, unknown>>
}

/**
 * An Extension, or an object of another kind, that consists of one ManagedResource
 * (docs/contract/kinds.md#extension). A restore is a reconcile, a
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
export const extensionFlow = <O extends KubernetesObject = Extension>(
  provider: ExtensionProvider<O>,
): Required<Pick<Actuator<NoInfer<O>>, 'reconcile' | 'remove' | 'forceRemove' | 'orphans' | 'migrate'>> => {
  const { resource } = provider
  const { name } = resource
  const keyOf = ({ object }: Pick<StepContext<O>, 'object'>) => ({
    name: typeof name === 'string' ? name : name(object),
    namespace: object.metadata.namespace ?? '',
  })
  const remove = async (
    step: StepContext<O>,
    { orphans = false, isForced = false },
    secrets: 'removeAll' | 'removeUnpersisted',
  ): Promise<StepResult> => {
    const { name, namespace } = keyOf(step)
    const { secretPrefix } = resource
    const waiting = await removeManagedResources(step, {
      namespace,
      resources: [{ name, orphans, ...(secretPrefix && { secretPrefix }) }],
      doing: `could not wait for managed resource ${name} to be deleted`,
      isForced,
    })
    return waiting ?? removeSecrets(provider, step, secrets)
  }
  return {
    reconcile: step => reconcileResource(provider, step, keyOf(step)),
    remove: step => remove(step, {}, 'removeAll'),
    forceRemove: step => remove(step, { isForced: true }, 'removeAll'),
    orphans: step => resourceTexts(keyOf(step).namespace, [keyOf(step).name]),
    migrate: step => remove(step, { orphans: resource.class === undefined }, 'removeUnpersisted'),
  }
}

const reconcileResource = async <O extends KubernetesObject>(
  provider: ExtensionProvider<O>,
  step: StepContext<O>,
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
  const status = {
    ...provider.status?.(step),
    ...(references && { resources: statusResources(used) }),
  }
  if (generated === undefined) return done(status)
  const { condition, isReported } = reportLost(step, generated)
  if (isReported) await generated.cleanUp()
  return { kind: 'done', status, conditions: { [lostAuthorityType]: condition } }
}

const secretsManagerOf = <O extends KubernetesObject>(
  { secrets }: Pick<ExtensionProvider<O>, 'secrets'>,
  step: StepContext<O>,
) =>
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
const removeSecrets = async <O extends KubernetesObject>(
  { secrets }: ExtensionProvider<O>,
  step: StepContext<O>,
  how: 'removeAll' | 'removeUnpersisted',
): Promise<StepResult> => {
  // The configs of an object in deletion do not matter, and its spec may be wrong.
  await (secrets && secretsManagerOf({ secrets: { ...secrets, configs: () => [] } }, step)?.[how]())
  return done()
}
