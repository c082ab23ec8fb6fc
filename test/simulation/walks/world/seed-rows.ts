import { brotliDecompressSync } from 'node:zlib'
import type { Store } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { annotations } from '../../../../shared/contract/constants.ts'
import type { ManagedResource } from '../../../../shared/contract/objects.ts'
import { managedResourceKind } from '../../../../shared/contract/resource-kinds.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { isRecord, type Json } from '../json.ts'
import type { Row } from '../oracle/canonical.ts'

/** Objects of the API server itself. */
const ofServer = /^(?:customresourcedefinitions|namespaces|events|leases|apiservices)\b/

/** The last request and its claim. */
const ofStep: ReadonlySet<string> = new Set([annotations.timestamp, annotations.operation, annotations.step])

/** Returns all objects of a seed, without versions and times. `own`: the kind of the walked object. */
export const seedRows = (store: Store, own: string): readonly Row[] => {
  const referenced = new Set(
    store
      .collection(`${managedResourceKind.resource.plural}.${managedResourceKind.resource.group}`)
      .list()
      .flatMap(({ object }) =>
        ((object as ManagedResource).spec?.secretRefs ?? []).map(({ name = '' }) => name),
      ),
  )
  return store
    .resources()
    .filter(resource => !ofServer.test(resource))
    .flatMap(resource => store.collection(resource).list())
    .filter(({ object }) => !isGarbage(object, referenced))
    .map(({ object }) => ({
      place: `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
      // The spec is the configuration. It may differ by a documented exception.
      value: present(object.kind === own ? withoutSpec(object) : object),
    }))
}

/** The garbage collector of the resource manager deletes former contents of ManagedResources. */
const isGarbage = ({ kind, metadata }: KubernetesObject, referenced: ReadonlySet<string>): boolean =>
  kind === 'Secret' &&
  metadata.labels?.['resources.gardener.cloud/garbage-collectable-reference'] === 'true' &&
  !referenced.has(metadata.name)

const present = (object: KubernetesObject): Json => {
  const { metadata, status, data, ...fields } = object as KubernetesObject & {
    readonly data?: Readonly<Record<string, string>>
  }
  const {
    name: _,
    uid: __,
    resourceVersion: ___,
    creationTimestamp: ____,
    generation: _____,
    ...own
  } = metadata as unknown as Record<string, Json>
  const noted = Object.fromEntries(
    Object.entries(isRecord(own.annotations) ? own.annotations : {}).filter(([name]) => !ofStep.has(name)),
  )
  return {
    ...(fields as Record<string, Json>),
    metadata: { ...own, annotations: noted },
    ...(data && {
      data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, decoded(name, value)])),
    }),
    ...(status === undefined ? {} : { status: result(status as Json) }),
  }
}

/** The type, progress and text of an operation say how the object came here. */
const result = (status: Json): Json => {
  if (!isRecord(status)) return status
  const { lastOperation, observedGeneration: _, ...own } = status
  return { ...own, ...(isRecord(lastOperation) && { state: lastOperation.state ?? '' }) }
}

const decoded = (name: string, value: string): string => {
  const bytes = Buffer.from(value, 'base64')
  return (name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString()
}

const withoutSpec = ({ spec: _, ...object }: KubernetesObject): KubernetesObject => object
