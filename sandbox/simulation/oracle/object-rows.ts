import { brotliDecompressSync } from 'node:zlib'
import { annotations } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { EtcdBackup } from '../../kubernetes/kubernetes.ts'
import type { WorldRow } from './world-row.ts'

/** Returns the rows of an API server, without versions and the course of operations. */
export type ObjectRows = (cluster: string, backup: EtcdBackup) => readonly WorldRow[]

/** The returned function reads each revision of an object once, and then returns the same row for it. */
export const createObjectRows = (): ObjectRows => {
  const known = new WeakMap<object, WorldRow>()
  return (cluster, backup) => {
    const inUse = referencedSecrets(backup)
    return [...backup.objects]
      .filter(([resource]) => !ofServer.test(resource))
      .flatMap(([, revisions]) => [...revisions])
      .filter(([key, { object }]) => !isCollectable(object) || inUse.has(key))
      .map(([, revision]) => {
        const row = known.get(revision) ?? objectRow(cluster, revision.object)
        known.set(revision, row)
        return row
      })
  }
}

/** Resources that the API server itself writes, or that are only reports. */
const ofServer = /^(?:customresourcedefinitions|apiservices|leases|events)\b/

const collectable = 'resources.gardener.cloud/garbage-collectable-reference'
const reference = 'reference.resources.gardener.cloud/secret-'

/** The resource manager deletes these Secrets some time after their last reference. */
const isCollectable = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Secret' && metadata.labels?.[collectable] === 'true'

const referencedSecrets = ({ objects }: EtcdBackup): ReadonlySet<string> =>
  new Set(
    ['managedresources.resources.gardener.cloud', 'deployments.apps'].flatMap(resource =>
      [...(objects.get(resource)?.values() ?? [])].flatMap(({ object: { metadata } }) =>
        Object.entries(metadata.annotations ?? {}).flatMap(([name, secret]) =>
          name.startsWith(reference) ? [`${metadata.namespace}/${secret}`] : [],
        ),
      ),
    ),
  )

/** The last request and its claim. */
const ofRequests: ReadonlySet<string> = new Set([annotations.timestamp, annotations.step])

const objectRow = (cluster: string, object: KubernetesObject): WorldRow => {
  const { kind, metadata, status, data, ...fields } = object
  const {
    name,
    namespace = '',
    resourceVersion: _,
    generation: __,
    managedFields: ___,
    annotations: noted = {},
    ...own
  } = metadata as KubernetesObject['metadata'] & Readonly<Record<string, unknown>>
  // A secrets manager generates the names of its Secrets.
  const managed = own.labels?.['managed-by'] === 'secrets-manager' ? own.labels.name : undefined
  const lasting = Object.entries(noted).filter(([key]) => !ofRequests.has(key))
  return {
    place: `${cluster} ${kind} ${namespace}/${managed ?? name}`,
    value: {
      ...fields,
      metadata: { ...own, annotations: Object.fromEntries(lasting) },
      data: kind === 'Secret' ? decoded(data) : data,
      status: status === undefined ? undefined : resultOf(status),
    },
  }
}

/** The type, progress and text of an operation say how the object came here. */
const resultOf = (status: unknown): unknown => {
  const { lastOperation, observedGeneration: _, ...result } = Object(status)
  return { ...result, operation: Object(lastOperation).state }
}

const decoded = (data: unknown): unknown =>
  Object.fromEntries(
    Object.entries(Object(data)).map(([name, value]) => {
      const bytes = Buffer.from(String(value), 'base64')
      return [name, (name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString()]
    }),
  )
