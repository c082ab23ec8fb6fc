import { resourceApiVersion } from '../contract/constants.ts'
import type { ManagedResource } from '../contract/objects.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { isReference, referenceTo } from './secret-name.ts'

/** A ManagedResource as it shall be (docs/contract/managed-resources.md). */
export interface DesiredManagedResource {
  readonly name: string
  readonly namespace: string
  /** Absent: the resource manager of the shoot applies it to the shoot. */
  readonly class?: 'seed'
  /** Of the manifests in the Secret. One that ends in `.br` has them compressed. */
  readonly key: string
  /** What is applied, in this order; `Rendered<V1Deployment>` and the like. May hold secrets. */
  readonly objects: readonly KubernetesObject[]
  /** What the name of the Secret has before that of the ManagedResource. Absent: nothing. */
  readonly secretPrefix?: 'managedresource-'
  /** Labels that every object gets. */
  readonly injectLabels?: Readonly<Record<string, string>>
  /** Whether the objects stay when the ManagedResource is deleted. Absent and false are the same to all readers. */
  readonly keepObjects?: boolean
  /** Whether annotations of objects go that others have put on them. */
  readonly forceOverwriteAnnotations?: boolean
  /** Whether labels of objects go that others have put on them. */
  readonly forceOverwriteLabels?: boolean
}

const specOf = (
  { class: resourceClass, injectLabels, keepObjects, ...flags }: DesiredManagedResource,
  secretName: string,
) => ({
  ...(resourceClass !== undefined && { class: resourceClass }),
  secretRefs: [{ name: secretName }],
  ...(injectLabels !== undefined && { injectLabels: { ...injectLabels } }),
  ...(keepObjects !== undefined && { keepObjects }),
  ...(flags.forceOverwriteAnnotations !== undefined && {
    forceOverwriteAnnotations: flags.forceOverwriteAnnotations,
  }),
  ...(flags.forceOverwriteLabels !== undefined && { forceOverwriteLabels: flags.forceOverwriteLabels }),
})

export const newManagedResource = (desired: DesiredManagedResource, secretName: string): ManagedResource => ({
  apiVersion: resourceApiVersion,
  kind: 'ManagedResource',
  metadata: { name: desired.name, namespace: desired.namespace, annotations: referenceTo(secretName) },
  spec: specOf(desired, secretName),
})

/**
 * The merge patch that leaves it the desired spec alone, and of the references that to its Secret; other annotations, and
 * labels, stay. Undefined: it is so.
 */
export const managedResourcePatch = (
  present: ManagedResource,
  desired: DesiredManagedResource,
  secretName: string,
): object | undefined => {
  const references = Object.entries(present.metadata.annotations ?? {}).filter(([key]) => isReference(key))
  const annotations = mapPatch(Object.fromEntries(references), referenceTo(secretName))
  const spec = specPatch(present.spec ?? { secretRefs: [] }, specOf(desired, secretName))
  if (annotations === undefined && spec === undefined) return undefined
  return { ...(annotations && { metadata: { annotations } }), ...(spec && { spec }) }
}

type Fields = Readonly<Record<string, unknown>>

const specPatch = (present: Fields, desired: Fields): Fields | undefined => {
  const keys = new Set([...Object.keys(present), ...Object.keys(desired)])
  const changes = [...keys].flatMap(key => {
    const [before, after] = [normalised(present[key]), normalised(desired[key])]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    if (key !== 'injectLabels') return [[key, after ?? null] as const]
    return [[key, mapPatch(Object(before ?? {}), Object(after ?? {}))] as const]
  })
  return changes.length === 0 ? undefined : Object.fromEntries(changes)
}

/** False, an empty text and an empty map say no more than a field that is not there; maps have no order. */
const normalised = (value: unknown): unknown => {
  if (value === false || value === '' || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** The merge patch of a map of texts that leaves the desired ones alone. */
const mapPatch = (
  present: Readonly<Record<string, string>>,
  desired: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> | undefined => {
  const stale = Object.keys(present).filter(key => !Object.hasOwn(desired, key))
  const changed = Object.entries(desired).filter(([key, value]) => present[key] !== value)
  if (stale.length === 0 && changed.length === 0) return undefined
  return { ...Object.fromEntries(stale.map(key => [key, null])), ...Object.fromEntries(changed) }
}
