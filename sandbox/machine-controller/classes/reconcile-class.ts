import type { MachineClass } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type ControllerContext, finalizers } from '../context.ts'

const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true } as const

type ClassSecret = NonNullable<MachineClass['secretRef']>

const refersTo = (one: ClassSecret | undefined, other: ClassSecret): boolean =>
  one?.name === other.name && one?.namespace === other.namespace

/** Holds a Secret as long as a class refers to it. Runs before a class goes, so that none is let go too early. */
const holdSecret = async (context: ControllerContext, reference: ClassSecret): Promise<void> => {
  const { kubernetes, classes, signal } = context
  const { name, namespace } = reference
  if (name === undefined || namespace === undefined) return
  const secret: KubernetesObject | undefined = await kubernetes.get(secrets, { name, namespace }, { signal })
  if (secret === undefined) return
  const wanted = classes
    .all()
    .some(
      ({ secretRef, credentialsSecretRef }) =>
        refersTo(secretRef, reference) || refersTo(credentialsSecretRef, reference),
    )
  const { finalizers: held = [], resourceVersion } = secret.metadata
  if (held.includes(finalizers.secret) === wanted) return
  const others = held.filter(finalizer => finalizer !== finalizers.secret)
  const next = wanted ? [...others, finalizers.secret] : others
  const patch = { metadata: { resourceVersion, finalizers: next } }
  await kubernetes.patch(secrets, { name, namespace }, patch, { signal })
}

/** Puts finalizers on the Secrets of a class, or takes them off where no class refers to them any more. */
export const holdSecrets = async (
  context: ControllerContext,
  { secretRef, credentialsSecretRef }: MachineClass,
): Promise<void> => {
  for (const reference of [secretRef, credentialsSecretRef])
    if (reference) await holdSecret(context, reference)
}

/** Holds a class as long as Machines refer to it. Resolves with when to look again. */
export const reconcileClass = async (context: ControllerContext, id: string): Promise<number | undefined> => {
  const { classes, machines, durations } = context
  const found = classes.byId(id)
  if (found === undefined) return undefined
  await holdSecrets(context, found)
  const { namespace = '', name, deletionTimestamp } = found.metadata
  const isUsed = machines.list(namespace).some(({ spec }) => spec?.class?.name === name)
  if (deletionTimestamp !== undefined && isUsed) return durations.step
  await classes.setFinalizer(found, finalizers.object, isUsed)
  return undefined
}
