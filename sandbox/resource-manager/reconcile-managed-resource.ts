import { createHash } from 'node:crypto'
import type { Clock } from '../../shared/clock/clock.ts'
import { conditionOf, mergeConditions, updatedCondition } from '../../shared/contract/conditions.ts'
import type { ManagedObjectReference, ManagedResource } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { secrets } from '../../shared/kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readManifests } from '../../shared/resources/resources.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { applyObject, idOf, type ManagedObject } from './objects/apply-object.ts'
import { deleteObjects } from './objects/delete-objects.ts'
import { makeAvailable } from './objects/make-available.ts'
import type { TargetCluster } from './objects/target-cluster.ts'
import type { ResourceFault } from './resource-fault.ts'

export interface ManagedResourceContext {
  /** The seed, which has the ManagedResources. */
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly target: TargetCluster
  readonly fault: ResourceFault | undefined
}

const { resource } = managedResourceKind

/** Depends on the class, so that the previous manager cleans up if the class changes. */
const finalizerOf = ({ spec }: ManagedResource): string =>
  `resources.gardener.cloud/gardener-resource-manager${spec?.class ? `-${spec.class}` : ''}`

/** `again`: something is not in the desired state and is retried. */
export type Reconciled = 'done' | 'again'

type Assessment = readonly [
  type: string,
  status: 'True' | 'False' | 'Unknown' | 'Progressing',
  reason: string,
  message: string,
]

const healthy: Assessment = ['ResourcesHealthy', 'True', 'ResourcesHealthy', 'All resources are healthy.']
const rolledOut: Assessment = [
  'ResourcesProgressing',
  'False',
  'ResourcesRolledOut',
  'All resources have been fully rolled out.',
]

/** Applies the objects of a ManagedResource, or deletes them with it, and writes the result to its status. */
export const reconcileManagedResource = async (
  context: ManagedResourceContext,
  managedResource: ManagedResource,
): Promise<Reconciled> =>
  managedResource.metadata.deletionTimestamp === undefined
    ? applyAll(context, managedResource)
    : deleteAll(context, managedResource)

const applyAll = async (context: ManagedResourceContext, present: ManagedResource): Promise<Reconciled> => {
  const { kubernetes, target, fault } = context
  const managedResource = await setFinalizer(context, present, true)
  const { metadata, spec } = managedResource
  const { namespace = '', name } = metadata
  const report = (assessments: readonly Assessment[], fields: object = {}) =>
    writeStatus(context, managedResource, assessments, fields)
  const notApplied = async (reason: string, message: string): Promise<Reconciled> => {
    await report([['ResourcesApplied', 'False', reason, message]])
    return 'again'
  }

  const documents: KubernetesObject[] = []
  const checksum = createHash('sha256')
  for (const { name: secretName = '' } of spec?.secretRefs ?? []) {
    const secret = await kubernetes.get(secrets, { namespace, name: secretName })
    if (secret === undefined)
      return notApplied('CannotReadSecret', `Secret ${JSON.stringify(secretName)} not found`)
    checksum.update(JSON.stringify(secret.data ?? {}))
    try {
      documents.push(...((await readManifests(secret.data)) as KubernetesObject[]))
    } catch (error) {
      return notApplied('DecodingFailed', `Could not decode all new resources: ${messageOf(error)}`)
    }
  }
  const objects = await Promise.all(
    documents
      .filter(({ metadata: { annotations } }) => annotations?.['resources.gardener.cloud/mode'] !== 'Ignore')
      .map(object => inNamespace(target, object)),
  )
  const references = objects
    .map(object => referenceOf(object, spec?.injectLabels ?? {}))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const [firstObject] = objects
  if (fault === 'failing' && firstObject !== undefined)
    return notApplied('ApplyFailed', orderedFailure(firstObject))

  const wanted = new Set(references.map(keyOf))
  const before = new Map((managedResource.status?.resources ?? []).map(one => [keyOf(one), one]))
  const left = await deleteObjects(
    target,
    [...before.values()].filter(one => !wanted.has(keyOf(one))),
  )
  if (left.length > 0) {
    await report([['ResourcesApplied', 'Progressing', 'DeletionPending', pending(left)]])
    return 'again'
  }
  for (const object of inOrder(objects)) {
    const managed: ManagedObject = {
      object,
      origin: `${namespace}/${name}`,
      injectLabels: spec?.injectLabels ?? {},
      forceOverwriteLabels: spec?.forceOverwriteLabels === true,
      forceOverwriteAnnotations: spec?.forceOverwriteAnnotations === true,
      before: before.get(keyOf(referenceOf(object, {}))),
    }
    try {
      await applyObject(target, managed)
    } catch (error) {
      return notApplied('ApplyFailed', messageOf(error))
    }
  }
  if (fault !== 'unhealthy' && fault !== 'progressing') await makeAvailable(target, objects)
  const [first] = references
  const named = first === undefined ? 'nothing' : keyOf(first)
  await report(
    [
      ['ResourcesApplied', 'True', 'ApplySucceeded', 'All resources are applied.'],
      fault === 'unhealthy'
        ? ['ResourcesHealthy', 'False', 'ResourceUnhealthy', `${named} is unhealthy: it was ordered`]
        : healthy,
      fault === 'progressing'
        ? ['ResourcesProgressing', 'True', 'ResourceProgressing', `${named} is progressing: it was ordered`]
        : rolledOut,
    ],
    {
      resources: references,
      observedGeneration: metadata.generation,
      secretsDataChecksum: checksum.digest('hex'),
    },
  )
  return fault === undefined || fault === 'slow' ? 'done' : 'again'
}

const deleteAll = async (
  context: ManagedResourceContext,
  managedResource: ManagedResource,
): Promise<Reconciled> => {
  const { target, fault } = context
  const { metadata, spec, status } = managedResource
  if (!metadata.finalizers?.includes(finalizerOf(managedResource))) return 'done'
  if (spec?.keepObjects !== true) {
    const references = status?.resources ?? []
    const deleting = 'The resources are currently being deleted.'
    const report = (state: 'False' | 'Progressing', reason: string, message: string) =>
      writeStatus(context, managedResource, [
        ['ResourcesHealthy', 'False', 'DeletionPending', deleting],
        ['ResourcesProgressing', 'True', 'DeletionPending', deleting],
        ['ResourcesApplied', state, reason, message],
      ])
    if (fault === 'failing') {
      await report('False', 'DeletionFailed', pending(references.slice(0, 1).map(keyOf)))
      return 'again'
    }
    const left = await deleteObjects(target, references)
    if (left.length > 0) {
      await report('Progressing', 'DeletionPending', pending(left))
      return 'again'
    }
  }
  await setFinalizer(context, managedResource, false)
  return 'done'
}

/** Definitions and namespaces first, because other objects need them. */
const inOrder = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] => {
  const isFirst = ({ kind }: KubernetesObject) => kind === 'CustomResourceDefinition' || kind === 'Namespace'
  return [...objects.filter(isFirst), ...objects.filter(object => !isFirst(object))]
}

const inNamespace = async (target: TargetCluster, object: KubernetesObject): Promise<KubernetesObject> => {
  const found = await target.find(object.apiVersion, object.kind)
  const { namespace, ...metadata } = object.metadata
  if (found?.namespaced === false || namespace !== undefined) {
    return found?.namespaced === false ? { ...object, metadata } : object
  }
  return { ...object, metadata: { ...metadata, namespace: 'default' } }
}

const referenceOf = (
  { apiVersion, kind, metadata: { name, namespace, labels, annotations } }: KubernetesObject,
  injectLabels: Readonly<Record<string, string>>,
): ManagedObjectReference => {
  const all = { ...labels, ...injectLabels }
  return {
    apiVersion,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(Object.keys(all).length > 0 && { labels: all }),
    ...(annotations !== undefined && { annotations: { ...annotations } }),
  }
}

const keyOf = ({ apiVersion = '', kind = '', name = '', namespace }: ManagedObjectReference): string =>
  idOf({ apiVersion, kind, metadata: namespace === undefined ? { name } : { name, namespace } })

const orderedFailure = (object: KubernetesObject): string =>
  `error during apply of object ${JSON.stringify(idOf(object))}: ${object.kind} ${JSON.stringify(object.metadata.name)} is invalid: it was ordered`

const pending = (ids: readonly string[]): string =>
  `Could not clean all old resources: ${ids
    .map(id => `deletion of old resource ${JSON.stringify(id)} is still pending`)
    .join('; ')}`

const writeStatus = async (
  { kubernetes, clock }: ManagedResourceContext,
  { metadata, status }: ManagedResource,
  assessments: readonly Assessment[],
  fields: object = {},
): Promise<void> => {
  const { namespace = '', name, uid } = metadata
  const now = clock.now()
  const present = status?.conditions ?? []
  const updates = assessments.map(([type, state, reason, message]) =>
    updatedCondition(type, conditionOf(present, type), { status: state, reason, message }, now),
  )
  const conditions = mergeConditions(present, updates)
  const next = { ...fields, conditions }
  if (JSON.stringify({ ...status, ...next }) === JSON.stringify(status)) return
  await kubernetes.patch(
    resource,
    { namespace, name },
    { metadata: { uid }, status: next },
    { subresource: 'status' },
  )
}

const setFinalizer = async (
  { kubernetes }: ManagedResourceContext,
  managedResource: ManagedResource,
  wanted: boolean,
): Promise<ManagedResource> => {
  const { namespace = '', name, resourceVersion, finalizers = [] } = managedResource.metadata
  const finalizer = finalizerOf(managedResource)
  if (finalizers.includes(finalizer) === wanted) return managedResource
  const others = finalizers.filter(one => one !== finalizer)
  const patch = { metadata: { resourceVersion, finalizers: wanted ? [...others, finalizer] : others } }
  return (await kubernetes.patch(resource, { namespace, name }, patch)) as ManagedResource
}
