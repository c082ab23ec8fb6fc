import { annotations } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Store } from '../../kubernetes/kubernetes.ts'

/** Resources of the API server itself, the records of processes, and machines, which the cloud has too. */
const left = /^(?:customresourcedefinitions|namespaces|events|leases|apiservices|clusters|nodes|machines|machinesets)\b/

/** The last request and its claim. */
const ofRequests: ReadonlySet<string> = new Set([
  annotations.timestamp,
  annotations.operation,
  annotations.step,
  annotations.deletionConfirmation,
])

/** Returns all objects of an API server without versions, times and the content of Secrets: a line for each. */
export const seedLines = (store: Store): readonly string[] =>
  store
    .resources()
    .filter(resource => !left.test(resource))
    .flatMap(resource => store.collection(resource).list())
    .map(({ object }) => {
      const { namespace = '', name } = object.metadata
      return `${object.kind} ${namespace}/${name} ${JSON.stringify(present(object))}`
    })

const present = (object: KubernetesObject) => {
  const { metadata, spec, data, status } = object as KubernetesObject & { readonly data?: object }
  const noted = Object.entries(metadata.annotations ?? {}).filter(([name]) => !ofRequests.has(name))
  const { providerStatus, lastOperation, lastError } = Object(status) as Readonly<Record<string, unknown>>
  return {
    labels: metadata.labels,
    annotations: Object.fromEntries(noted),
    finalizers: metadata.finalizers,
    owners: (metadata.ownerReferences as readonly KubernetesObject['metadata'][] | undefined)?.map(owner => owner.name),
    spec,
    data: data && Object.keys(data),
    providerStatus,
    state: Object(lastOperation).state as unknown,
    error: lastError,
  }
}
