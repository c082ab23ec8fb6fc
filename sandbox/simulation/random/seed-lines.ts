import { annotations } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Store } from '../../kubernetes/kubernetes.ts'

/** Resources of the API server itself, the records of processes, and machines, which the cloud has too. */
const left =
  /^(?:customresourcedefinitions|namespaces|events|leases|apiservices|clusters|nodes|machines|machinesets)\b/

/** The label of Secrets that Gardener's garbage collector removes once no object refers to them. */
export const garbageCollected = 'resources.gardener.cloud/garbage-collectable-reference'

/** The last request and its claim. */
const ofRequests: ReadonlySet<string> = new Set([
  annotations.timestamp,
  annotations.operation,
  annotations.step,
  annotations.deletionConfirmation,
  // The number of rolls so far.
  'deployment.kubernetes.io/revision',
])

/** Returns all objects of an API server without versions, times and the content of Secrets: a line for each. */
export const seedLines = (store: Store): readonly string[] =>
  store
    .resources()
    .filter(resource => !left.test(resource))
    .flatMap(resource => store.collection(resource).list())
    .filter(({ object }) => !isLeftOut(object))
    .map(({ object }) => {
      const { namespace = '', name, labels = {} } = object.metadata
      return isManaged(object)
        ? `${object.kind} ${namespace}/${labels.name} ${JSON.stringify({ data: dataKeys(object) })}`
        : `${object.kind} ${namespace}/${name} ${JSON.stringify(present(object))}`
    })

/** A Secret of a secrets manager: its name, its checksums and its times differ in each world. */
const isManaged = ({ metadata }: KubernetesObject): boolean =>
  metadata.labels?.['managed-by'] === 'secrets-manager'

/** Old versions that a manager removes later, and objects of gardenlet itself. */
const isLeftOut = ({ kind, metadata: { name, labels, annotations: noted } }: KubernetesObject): boolean =>
  noted?.['trellis.gardener.cloud/unused-since'] !== undefined ||
  labels?.[garbageCollected] !== undefined ||
  (kind === 'Secret' && /^gardener(?:-internal)?$/.test(name)) ||
  (kind === 'Deployment' && /^(?:kube-apiserver|machine-controller-manager)$/.test(name))

const dataKeys = (object: KubernetesObject): readonly string[] =>
  Object.keys((object as { readonly data?: object }).data ?? {})

const present = (object: KubernetesObject) => {
  const { metadata, spec, status } = object
  const noted = Object.entries(metadata.annotations ?? {}).filter(([name]) => !ofRequests.has(name))
  const { providerStatus, lastOperation, lastError } = Object(status) as Readonly<Record<string, unknown>>
  return {
    labels: metadata.labels,
    annotations: Object.fromEntries(noted),
    finalizers: metadata.finalizers,
    owners: (metadata.ownerReferences as readonly KubernetesObject['metadata'][] | undefined)?.map(
      owner => owner.name,
    ),
    spec,
    data: dataKeys(object),
    providerStatus,
    state: Object(lastOperation).state as unknown,
    error: lastError,
  }
}
