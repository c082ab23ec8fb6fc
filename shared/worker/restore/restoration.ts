import { machineApiVersion } from '../../contract/constants.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { MachineState, StateObject } from './machine-state.ts'

/** What a restore makes before anything else, so that machines that run are found and not made again. */
export interface Restoration {
  /** Ready to be created. */
  readonly sets: readonly KubernetesObject[]
  readonly machines: readonly KubernetesObject[]
  /** Replicas of the deployments to be created with them, by name; the others come once all of these are there. */
  readonly replicas: ReadonlyMap<string, number>
}

/**
 * What of a state is restored for the desired deployments: spec, labels and annotations of sets and machines; owners are the
 * machine controller's to set (docs/contract/workers.md#machine-state).
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
