import type { ManagedResource } from '../../contract/objects.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type ReadKubernetes, secrets } from '../../lifecycle/lifecycle.ts'
import { readManifests } from '../secrets/manifests.ts'
import type { ObjectChange } from './object-change.ts'
import { keyOf, objectChanges } from './object-changes.ts'
import type { ShownOptions } from './shown-objects.ts'

/** The change of a ManagedResource and its objects, without secrets. */
export interface ManagedResourceChange {
  readonly kind: ObjectChange['kind']
  readonly cluster: 'seed' | 'shoot'
  /** Changes besides objects, for users. */
  readonly notes: readonly string[]
  /** The changed objects, in order. */
  readonly objects: readonly ObjectChange[]
}

/** A ManagedResource at one time. Undefined: it does not exist. `kubernetes`: reads its Secrets at that time. */
export interface ManagedResourceThen {
  readonly managedResource: ManagedResource | undefined
  readonly kubernetes: ReadKubernetes
}

export const managedResourceChange = async (
  past: ManagedResourceThen,
  next: ManagedResourceThen,
  shown: ShownOptions,
  signal: AbortSignal,
): Promise<ManagedResourceChange> => {
  const before = past.managedResource
  const after = next.managedResource
  const isDeleted = after === undefined || after.metadata.deletionTimestamp !== undefined
  const present = await contentOf(past, signal)
  const desired = isDeleted ? noObjects : await contentOf(next, signal)
  const kind = before === undefined ? 'create' : isDeleted ? 'delete' : 'update'
  const isUnread = present.missing !== undefined
  const areAllOrphaned = isDeleted && before?.spec?.keepObjects === true
  const staying = areAllOrphaned ? present.objects : stayingObjects(present, desired)
  return {
    kind,
    cluster: (before ?? after)?.spec?.class === 'seed' ? 'seed' : 'shoot',
    notes: [
      ...(present.missing === undefined
        ? []
        : [`its objects are unknown: the Secret ${present.missing} does not exist`]),
      ...(kind === 'update' ? specNotes(before, after) : []),
      ...(areAllOrphaned
        ? ['its objects are retained']
        : staying.map(({ kind, metadata }) => `${kind} ${metadata.name} is retained`)),
    ],
    objects: isUnread
      ? []
      : objectChanges(
          present.objects.filter(object => !staying.includes(object)),
          desired.objects,
          shown,
        ),
  }
}

/** Returns the objects that are no longer desired but remain in the cluster. */
const stayingObjects = (present: Content, desired: Content): readonly KubernetesObject[] => {
  const wanted = new Set(desired.objects.map(keyOf))
  return present.objects.filter(
    object => object.metadata.annotations?.[retainAnnotation] === 'true' && !wanted.has(keyOf(object)),
  )
}

/** docs/contract/managed-resources.md#objects-under-management */
const retainAnnotation = 'resources.gardener.cloud/keep-object'

interface Content {
  readonly objects: readonly KubernetesObject[]
  /** The name of a missing Secret that has some of the objects. */
  readonly missing?: string
}

const noObjects: Content = { objects: [] }

const contentOf = async (
  { managedResource, kubernetes }: ManagedResourceThen,
  signal: AbortSignal,
): Promise<Content> => {
  const { namespace = '' } = managedResource?.metadata ?? {}
  const objects: KubernetesObject[] = []
  for (const { name = '' } of managedResource?.spec?.secretRefs ?? []) {
    const secret = await kubernetes.get(secrets, { namespace, name }, { signal })
    if (secret === undefined) return { objects: [], missing: name }
    objects.push(...((await readManifests(secret.data)) as readonly KubernetesObject[]))
  }
  return { objects }
}

/** Compares the spec without its Secrets, which differ whenever an object does. */
const specNotes = (
  before: ManagedResource | undefined,
  after: ManagedResource | undefined,
): readonly string[] => {
  const [past, wanted] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(past), ...Object.keys(wanted)])].flatMap(field => {
    const [from, to] = [JSON.stringify(past[field]), JSON.stringify(wanted[field])]
    return from === to ? [] : [`${field}: ${from ?? 'none'} → ${to ?? 'none'}`]
  })
}

const fieldsOf = (managedResource: ManagedResource | undefined): Readonly<Record<string, unknown>> => {
  const { secretRefs: _, ...fields } = Object(managedResource?.spec)
  return fields
}
