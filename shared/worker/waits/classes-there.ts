import type { MachineClass } from '../../contract/objects.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { over, type WaitState } from './wait-state.ts'

/** The MachineClasses of a namespace and their Secrets. */
export interface ClassObjects {
  readonly classes: readonly MachineClass[]
  readonly classSecrets: readonly KubernetesObject[]
}

/**
 * Returns `over` if each desired class and its Secret exist and are not being deleted. The machine controller removes
 * its finalizer from both once no machine uses them. From then on there is no class and no new machine until a step
 * creates them.
 */
export const classesThere = (
  desired: readonly string[],
  { classes, classSecrets }: ClassObjects,
): WaitState => {
  const [present, presentSecrets] = [staying(classes), staying(classSecrets)]
  return waitForClasses(desired.filter(name => !present.has(name) || !presentSecrets.has(name)))
}

/** Waits for classes that must be gone before a step recreates them. */
export const waitForClasses = (names: readonly string[]): WaitState => {
  const [name] = names.toSorted()
  if (name === undefined) return over
  return {
    kind: 'waiting',
    message: `machine class ${name} or its Secret is being deleted: it is recreated when no machine uses it`,
    share: 0,
  }
}

const staying = (objects: readonly KubernetesObject[]): ReadonlySet<string> =>
  new Set(
    objects.flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [metadata.name] : [])),
  )
