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

/** Returns the content of the Secrets that move with a shoot, by name. */
export const persistedOf = (objects: readonly KubernetesObject[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    objects
      .filter(({ kind, metadata }) => kind === 'Secret' && metadata.labels?.persist === 'true')
      .map(({ metadata, data }) => [metadata.name, JSON.stringify(data)]),
  )

/** Returns the machines as `<name> <providerID>`, sorted. */
export const machinesOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind === 'Machine')
    .map(({ metadata, spec }) => `${metadata.name} ${(spec as { readonly providerID?: string }).providerID}`)
    .sort()

/** Returns problems of extension objects: a last operation without success, an error. */
export const problemsOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.flatMap(({ apiVersion, kind, metadata, status }) => {
    if (apiVersion !== 'extensions.gardener.cloud/v1alpha1' || kind === 'Cluster') return []
    const { lastOperation, lastError } = (status ?? {}) as {
      readonly lastOperation?: { readonly type: string; readonly state: string }
      readonly lastError?: { readonly description: string }
    }
    const isFine = lastOperation?.state === 'Succeeded' && lastError === undefined
    const text = `${lastOperation?.type} ${lastOperation?.state} ${lastError?.description ?? ''}`
    return isFine ? [] : [`${kind} ${metadata.name} is ${text}`]
  })
