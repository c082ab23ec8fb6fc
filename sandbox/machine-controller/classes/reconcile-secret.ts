import type { MachineClass } from '../../../shared/contract/objects.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import { idOf, type KubernetesObject, keyOf, keyOfId } from '../../../shared/kubernetes/kubernetes.ts'
import { type ControllerContext, finalizers } from '../context.ts'

/** Returns the ids of the Secrets that a class refers to. */
export const secretsOf = ({ secretRef, credentialsSecretRef }: MachineClass): readonly string[] =>
  [secretRef, credentialsSecretRef].flatMap(reference => {
    const { name, namespace } = reference ?? {}
    return name === undefined || namespace === undefined ? [] : [idOf({ name, namespace })]
  })

/**
 * Retains a Secret by a finalizer while a class refers to it. Rejects with 409 if the Secret was changed or deleted
 * meanwhile.
 */
export const reconcileSecret = async (context: ControllerContext, id: string): Promise<undefined> => {
  const { kubernetes, classes, signal } = context
  const key = keyOfId(id)
  const secret: KubernetesObject | undefined = await kubernetes.get(secrets, key, { signal })
  if (secret === undefined) return
  const wanted = classes.all().some(one => secretsOf(one).includes(id))
  const { finalizers: held = [], resourceVersion } = secret.metadata
  if (held.includes(finalizers.secret) === wanted) return
  const others = held.filter(finalizer => finalizer !== finalizers.secret)
  const next = wanted ? [...others, finalizers.secret] : others
  const patch = { metadata: { resourceVersion, finalizers: next } }
  await kubernetes.patch(secrets, key, patch, { signal })
}

/**
 * Returns the ids of a namespace's Secrets with the finalizer. Their classes may have been deleted while the controller
 * did not run.
 */
export const heldSecrets = async (
  { kubernetes, signal }: Pick<ControllerContext, 'kubernetes' | 'signal'>,
  namespace: string,
): Promise<readonly string[]> => {
  const { items } = await kubernetes.list(secrets, { namespace, signal })
  return items
    .filter(({ metadata }) => metadata.finalizers?.includes(finalizers.secret))
    .map(secret => idOf(keyOf(secret)))
}
