import { resourceApiVersion } from '../contract/constants.ts'
import type { ManagedResource } from '../contract/objects.ts'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { hasStatus } from '../kubernetes/kubernetes.ts'
import { type StepKubernetes, secrets } from '../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from './desired-managed-resource.ts'
import { parsedManagedResource, readManagedResource } from './observe.ts'
import { type CompareManifests, compareManifests } from './secrets/compare-manifests.ts'
import { ensureSecret, makeCollectable } from './secrets/ensure-secret.ts'
import { manifestsOf } from './secrets/manifests.ts'
import { isReference, isSecretNameOf, referenceTo, secretNameOf } from './secrets/secret-name.ts'
import { conditionsOf } from './waits/resource-wait.ts'

/** Maximum attempts after concurrent creations or deletions of the ManagedResource. */
const tries = 5

const { resource } = managedResourceKind

/** The outcome and the current ManagedResource. */
export interface EnsuredManagedResource {
  /** `deleting`: the ManagedResource is in deletion and nothing was written. It can be recreated once it is gone. */
  readonly outcome: 'created' | 'changed' | 'same' | 'deleting'
  readonly managedResource: ManagedResource
}

/**
 * Creates or updates the ManagedResource, its Secret first, and writes only differences
 * (docs/contract/managed-resources.md#create-or-update). After any interruption, the next call continues.
 *
 * @param observed the object as read in this step; null: it does not exist. Absent: it is read.
 * @param compare `rememberingComparison` for a process that compares the same manifests repeatedly
 *
 * @example
 * const desired = { namespace, name: 'extension-acme', key: 'acme.yaml', objects: [deployment] }
 * await ensureManagedResource(kubernetes, desired)
 */
export const ensureManagedResource = async (
  kubernetes: StepKubernetes,
  desired: DesiredManagedResource,
  observed?: ManagedResource | null,
  compare: CompareManifests = compareManifests,
): Promise<EnsuredManagedResource> => {
  const { name, namespace } = desired
  const data = await manifestsOf(desired)
  let present =
    observed === undefined ? await readManagedResource(kubernetes, desired) : (observed ?? undefined)
  for (let attempt = 1; ; attempt++) {
    if (present?.metadata.deletionTimestamp !== undefined)
      return { outcome: 'deleting', managedResource: present }
    const { secretName, mayBeCollected } = await ensureContent(kubernetes, desired, data, present, compare)
    try {
      const kept = await writeManagedResource(kubernetes, desired, secretName, present)
      // Without references until now, the garbage collector may have deleted it.
      if (mayBeCollected && (await kubernetes.get(secrets, { namespace, name: secretName })) === undefined)
        await ensureSecret(kubernetes, secretName, desired, data)
      return kept
    } catch (error) {
      if (!isOvertaken(error) || attempt === tries) throw error
    }
    present = await readManagedResource(kubernetes, { name, namespace })
  }
}

const writeManagedResource = async (
  kubernetes: StepKubernetes,
  desired: DesiredManagedResource,
  secretName: string,
  present: ManagedResource | undefined,
): Promise<EnsuredManagedResource> => {
  const { name, namespace } = desired
  if (present === undefined) {
    const made = await kubernetes.create(resource, newManagedResource(desired, secretName))
    return { outcome: 'created', managedResource: parsedManagedResource(made) }
  }
  const patch = managedResourcePatch(present, desired, secretName)
  if (patch === undefined) return { outcome: 'same', managedResource: present }
  for (const left of secretsOf(present)) {
    if (left !== secretName && !isSecretNameOf(desired, left))
      await makeCollectable(kubernetes, { namespace, name: left })
  }
  const metadata = { ...('metadata' in patch ? Object(patch.metadata) : {}), uid: present.metadata.uid }
  const changed = await kubernetes.patch(resource, { name, namespace }, { ...patch, metadata })
  return { outcome: 'changed', managedResource: parsedManagedResource(changed) }
}

/**
 * Returns the Secret for the new reference: that of the data, or the existing one with equal objects in another format.
 */
const ensureContent = async (
  kubernetes: StepKubernetes,
  desired: DesiredManagedResource,
  data: Readonly<Record<string, Uint8Array>>,
  present: ManagedResource | undefined,
  compare: CompareManifests,
): Promise<{ readonly secretName: string; readonly mayBeCollected: boolean }> => {
  const { namespace, objects } = desired
  const secretName = secretNameOf(desired, data)
  // The first of several is retained if it is complete; the patch removes the others.
  const [referenced] = present === undefined ? [] : secretsOf(present)
  if (present !== undefined && referenced !== undefined) {
    // The resource manager has read it and protects it while it is in use.
    if (referenced === secretName && isApplied(present)) return { secretName, mayBeCollected: false }
    if (referenced !== secretName && isSecretNameOf(desired, referenced)) {
      const secret = await kubernetes.get(secrets, { namespace, name: referenced })
      const isThere = secret !== undefined && secret.metadata.deletionTimestamp === undefined
      if (isThere && (await compare(secret.data, { objects, data })))
        return { secretName: referenced, mayBeCollected: false }
    }
    if (referenced === secretName && (await kubernetes.get(secrets, { namespace, name: secretName })))
      return { secretName, mayBeCollected: false }
  }
  const made = await ensureSecret(kubernetes, secretName, desired, data)
  return { secretName, mayBeCollected: made === 'found' }
}

/** Returns the Secrets that a ManagedResource references. */
const secretsOf = ({ spec }: ManagedResource): readonly string[] =>
  (spec?.secretRefs ?? []).flatMap(({ name }) => (name ? [name] : []))

/** Returns true if the resource manager has applied the content of the Secrets. */
const isApplied = (managedResource: ManagedResource): boolean => {
  const { metadata, status } = managedResource
  return (
    status?.observedGeneration === metadata.generation &&
    conditionsOf(managedResource).ResourcesApplied?.status === 'True'
  )
}

/** The object was concurrently created (409) or deleted (404). */
const isOvertaken = (error: unknown): boolean => hasStatus(error, 409, 404)

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

const newManagedResource = (desired: DesiredManagedResource, secretName: string): ManagedResource => ({
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
const managedResourcePatch = (
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
