import type { WorldRow } from '../../../sandbox/simulation/oracle/oracle.ts'
import type { WorldSeed } from '../../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** Returns the objects of a shoot in a seed: in its namespace, and those of the cluster with its name. */
export const objectsOf = (
  { server: { store } }: WorldSeed,
  namespace: string,
): readonly (KubernetesObject & { readonly resource: string })[] =>
  store.resources().flatMap(resource =>
    store
      .collection(resource)
      .list()
      .filter(
        ({ object: { metadata } }) =>
          metadata.namespace === namespace ||
          metadata.name.includes(namespace) ||
          (metadata.namespace === 'garden' && metadata.name.includes(namespace)),
      )
      // Events are records, not state.
      .filter(({ object }) => object.kind !== 'Event')
      .map(({ object }) => ({ resource, ...object })),
  )

/** Returns `<kind> <namespace>/<name>` of objects, sorted. */
export const namesOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`).sort()

/** Returns the names of Secrets with a private key. */
export const privateKeysOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind === 'Secret')
    .filter(({ data }) =>
      Object.values((data ?? {}) as object).some(value =>
        Buffer.from(String(value), 'base64').toString().includes('PRIVATE KEY'),
      ),
    )
    .map(({ metadata }) => metadata.name)

/** Returns the Secrets that move with a shoot, and their contents. */
export const persistedOf = (objects: readonly KubernetesObject[]): readonly WorldRow[] =>
  objects
    .filter(({ kind, metadata }) => kind === 'Secret' && metadata.labels?.persist === 'true')
    .map(({ metadata, data }) => ({ place: `persisted Secret ${metadata.name}`, value: data }))

/** Returns the machines, and their ids in the cloud. */
export const machinesOf = (objects: readonly KubernetesObject[]): readonly WorldRow[] =>
  objects
    .filter(({ kind }) => kind === 'Machine')
    .map(({ metadata, spec }) => ({ place: `Machine ${metadata.name}`, value: Object(spec).providerID }))
