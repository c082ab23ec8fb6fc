import { machineApiVersion } from '../../contract/constants.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { MachineState, StateObject } from './machine-state.ts'

/** The objects that a restore creates first, so that running machines are found and not recreated. */
export interface Restoration {
  /** Ready for creation. */
  readonly sets: readonly KubernetesObject[]
  readonly machines: readonly KubernetesObject[]
  /**
   * Replicas by name of the deployments that are created with them. All other deployments are created after these
   * objects.
   */
  readonly replicas: ReadonlyMap<string, number>
}

/**
 * Returns the parts of a state to restore for the desired deployments: spec, labels and annotations of sets and
 * machines. The machine controller sets the owners (docs/contract/workers.md#machine-state).
 */
export const restorationOf = (
  desired: readonly { readonly name: string }[],
  state: MachineState | undefined,
  namespace: string,
): Restoration => {
  const found = desired.flatMap(({ name }) => {
    const part = state?.get(name)
    return part === undefined || part.sets.length === 0 ? [] : [{ name, ...part }]
  })
  const made = (kind: string) => (object: StateObject) => restored(kind, object, namespace)
  return {
    sets: found.flatMap(({ sets }) => sets.map(made('MachineSet'))),
    machines: found.flatMap(({ machines }) => machines.map(made('Machine'))),
    replicas: new Map(found.map(one => [one.name, one.replicas])),
  }
}

const restored = (kind: string, { metadata, spec }: StateObject, namespace: string): KubernetesObject => ({
  apiVersion: machineApiVersion,
  kind,
  metadata: {
    name: metadata.name,
    namespace,
    ...(metadata.labels && { labels: metadata.labels }),
    ...(metadata.annotations && { annotations: metadata.annotations }),
  },
  spec: spec ?? {},
})
