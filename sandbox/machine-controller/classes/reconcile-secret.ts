import type { MachineClass } from '../../../shared/contract/objects.ts'
import { idOf, type KubernetesObject, keyOf, keyOfId } from '../../../shared/kubernetes/kubernetes.ts'
import { type ControllerContext, finalizers } from '../context.ts'

const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true } as const

/** The Secrets that a class refers to, by their ids. */
export const secretsOf = ({ secretRef, credentialsSecretRef }: MachineClass): readonly string[] =>
  [secretRef, credentialsSecretRef].flatMap(reference => {
    const { name, namespace } = reference ?? {}
    return name === undefined || namespace === undefined ? [] : [idOf({ name, namespace })]
  })

/**
 * Holds a Secret with a finalizer as long as a class refers to it. Rejects with 409 when somebody has changed it meanwhile,
 * as who deletes it does.
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

/** The Secrets of a namespace that are held, by their ids: their classes may have gone while nobody looked. */
export const heldSecrets = async (
  { kubernetes, signal }: Pick<ControllerContext, 'kubernetes' | 'signal'>,
  namespace: string,
): Promise<readonly string[]> => {
  const { items } = await kubernetes.list(secrets, { namespace, signal })
  return items
    .filter(({ metadata }) => metadata.finalizers?.includes(finalizers.secret))
    .map(secret => idOf(keyOf(secret)))
}
