import { resourceApiVersion } from '../contract/constants.ts'
import type { ManagedResource } from '../contract/objects.ts'
import { parseManagedResource } from '../contract/parse.ts'
import { formatProblems } from '../contract/problems.ts'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { listAll } from '../kubernetes/list-all.ts'
import type { StepKubernetes } from '../lifecycle/lifecycle.ts'
import { isReference, referenceTo } from './secrets/keep-secret.ts'

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
  metadata: {
    name: desired.name,
    namespace: desired.namespace,
    ...(desired.labels && { labels: desired.labels }),
    annotations: referenceTo(secretName),
  },
  spec: specOf(desired, secretName),
})

/**
 * Returns the merge patch to exactly the desired spec, with only the reference to its Secret, and to the desired
 * labels; other annotations and labels are retained. Undefined: no difference.
 */
export const managedResourcePatch = (
  present: ManagedResource,
  desired: DesiredManagedResource,
  secretName: string,
): object | undefined => {
  const references = Object.entries(present.metadata.annotations ?? {}).filter(([key]) => isReference(key))
  const annotations = mapPatch(Object.fromEntries(references), referenceTo(secretName))
  const labels = missingLabels(present.metadata.labels ?? {}, desired.labels ?? {})
  const spec = specPatch(present.spec ?? { secretRefs: [] }, specOf(desired, secretName))
  if (annotations === undefined && labels === undefined && spec === undefined) return undefined
  const metadata = { ...(labels && { labels }), ...(annotations && { annotations }) }
  return { ...((labels ?? annotations) && { metadata }), ...(spec && { spec }) }
}

const missingLabels = (
  present: Readonly<Record<string, string>>,
  desired: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined => {
  const missing = Object.entries(desired).filter(([key, value]) => present[key] !== value)
  return missing.length === 0 ? undefined : Object.fromEntries(missing)
}

type SpecFields = Readonly<Record<string, unknown>>

const specPatch = (present: SpecFields, desired: SpecFields): SpecFields | undefined => {
  const keys = new Set([...Object.keys(present), ...Object.keys(desired)])
  const changes = [...keys].flatMap((key): readonly SpecFields[] => {
    const [before, after] = [normalised(present[key]), normalised(desired[key])]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    const change = key === 'injectLabels' && after ? mapPatch(Object(before ?? {}), Object(after)) : after
    return [{ [key]: change ?? null }]
  })
  return changes.length === 0 ? undefined : Object.assign({}, ...changes)
}

/** False, an empty text and an empty map equal an absent field. Maps have no order. */
const normalised = (value: unknown): unknown => {
  if (value === false || value === '' || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value as SpecFields).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Returns the merge patch that reduces a map of texts to the desired ones. */
const mapPatch = (
  present: Readonly<Record<string, string>>,
  desired: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> | undefined => {
  const stale = Object.keys(present).filter(key => !Object.hasOwn(desired, key))
  const changed = Object.entries(desired).filter(([key, value]) => present[key] !== value)
  if (stale.length === 0 && changed.length === 0) return undefined
  return { ...Object.fromEntries(stale.map(key => [key, null])), ...Object.fromEntries(changed) }
}

export interface ManagedResourceKey {
  readonly name: string
  readonly namespace: string
}

const { resource } = managedResourceKind

/** Throws if the object lacks the shape of its kind. */
export const parsedManagedResource = (object: KubernetesObject): ManagedResource => {
  const parsed = parseManagedResource(object)
  if (parsed.ok) return parsed.object
  const { name } = object.metadata
  throw new TypeError(`reading the ManagedResource ${name}: ${formatProblems(parsed.problems)}`)
}

export const readManagedResource = async (
  kubernetes: Pick<StepKubernetes, 'get'>,
  { name, namespace }: ManagedResourceKey,
): Promise<ManagedResource | undefined> => {
  const object = await kubernetes.get(resource, { name, namespace })
  return object && parsedManagedResource(object)
}

/** Returns all ManagedResources of a namespace by name, with one request. */
export const listManagedResources = async (
  kubernetes: Pick<StepKubernetes, 'list'>,
  namespace: string,
): Promise<ReadonlyMap<string, ManagedResource>> => {
  const objects = (await listAll(kubernetes, resource, namespace)).map(parsedManagedResource)
  return new Map(objects.map(object => [object.metadata.name, object]))
}

/** The desired state of a ManagedResource (docs/contract/managed-resources.md). */
export interface DesiredManagedResource {
  readonly name: string
  readonly namespace: string
  /** Absent: the shoot's resource manager applies it to the shoot. */
  readonly class?: 'seed'
  /** Key of the manifests in the Secret. They are compressed if it ends with `.br`. */
  readonly key: string
  /** The objects to apply, in this order, such as `Rendered<V1Deployment>`. May contain secrets. */
  readonly objects: readonly KubernetesObject[]
  /** Prefix of the Secret's name before that of the ManagedResource. Default: none. */
  readonly secretPrefix?: 'managedresource-'
  /** Labels of the ManagedResource. Those of others are retained. `origin` names the owner. */
  readonly labels?: Readonly<Record<string, string>>
  /** Labels for every object. */
  readonly injectLabels?: Readonly<Record<string, string>>
  /** Retains the objects when the ManagedResource is deleted. Default: false. */
  readonly keepObjects?: boolean
  /** Removes foreign annotations from the objects. */
  readonly forceOverwriteAnnotations?: boolean
  /** Removes foreign labels from the objects. */
  readonly forceOverwriteLabels?: boolean
}
