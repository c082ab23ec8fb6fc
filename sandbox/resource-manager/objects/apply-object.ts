import { isDeepStrictEqual } from 'node:util'
import type { ManagedObjectReference } from '../../../shared/contract/objects.ts'
import {
  type GroupVersionResource,
  KubernetesError,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { TargetCluster } from './target-cluster.ts'

const prefix = 'resources.gardener.cloud'

export interface ManagedObject {
  readonly object: KubernetesObject
  /** `<namespace>/<name>` of the ManagedResource. */
  readonly origin: string
  readonly injectLabels: Readonly<Record<string, string>>
  readonly forceOverwriteLabels: boolean
  readonly forceOverwriteAnnotations: boolean
  /** The object as it was last applied. Its labels and annotations are removed if they are no longer desired. */
  readonly before: ManagedObjectReference | undefined
}

/** Number of attempts to apply an object after conflicts. */
const tries = 5

/** Throws with the error text of a resource manager. */
export const applyObject = async (target: TargetCluster, managed: ManagedObject): Promise<void> => {
  const { apiVersion, kind } = managed.object
  const id = idOf(managed.object)
  try {
    const resource = await target.find(apiVersion, kind)
    if (resource === undefined)
      throw new Error(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`)
    for (let attempt = 1; ; attempt++) {
      try {
        return await applyOnce(target, resource, managed)
      } catch (error) {
        const isOvertaken = error instanceof KubernetesError && error.status === 409
        if (!isOvertaken || attempt === tries) throw error
      }
    }
  } catch (error) {
    throw new Error(`error during apply of object ${JSON.stringify(id)}: ${Object(error).message}`)
  }
}

const applyOnce = async (
  { kubernetes }: TargetCluster,
  resource: GroupVersionResource,
  managed: ManagedObject,
): Promise<void> => {
  const desired = { ...managed.object, metadata: { ...managed.object.metadata } }
  const { name, namespace: given, annotations = {} } = desired.metadata
  const namespace = resource.namespaced ? (given ?? 'default') : undefined
  const key = namespace === undefined ? { name } : { name, namespace }
  const present = await kubernetes.get(resource, key)
  if (present !== undefined && annotations[`${prefix}/ignore`] === 'true') return
  const wanted = merged(present, desired, managed)
  if (present === undefined) {
    await kubernetes.create(resource, wanted)
    return
  }
  if (isDeepStrictEqual(present, wanted)) return
  try {
    await kubernetes.replace(resource, wanted)
  } catch (error) {
    if (!(error instanceof KubernetesError && error.status === 422)) throw error
    const isImmutable = error.message.includes('field is immutable when `immutable` is set')
    if (!isImmutable && annotations[`${prefix}/delete-on-invalid-update`] !== 'true') throw error
    await kubernetes.delete(resource, key)
    await kubernetes.create(resource, merged(undefined, desired, managed))
  }
}

/** Merges the manifest with labels, annotations and status that others have set on the object. */
const merged = (
  present: KubernetesObject | undefined,
  desired: KubernetesObject,
  { origin, injectLabels, before, ...force }: ManagedObject,
): KubernetesObject => {
  const retain = (
    field: 'labels' | 'annotations',
    isForced: boolean,
    wanted: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> => {
    const others = Object.entries(present?.metadata[field] ?? {}).filter(
      ([name]) => !isForced && before?.[field]?.[name] === undefined,
    )
    return { ...Object.fromEntries(others), ...wanted }
  }
  const { metadata, status: _, ...fields } = desired
  const labels = retain('labels', force.forceOverwriteLabels, {
    ...metadata.labels,
    ...injectLabels,
    [`${prefix}/managed-by`]: 'gardener',
  })
  const annotations = retain('annotations', force.forceOverwriteAnnotations, {
    ...metadata.annotations,
    [`${prefix}/description`]: description,
    [`${prefix}/origin`]: origin,
  })
  return {
    ...(present?.status === undefined ? {} : { status: present.status }),
    ...(fields as KubernetesObject),
    ...(isWorkload(desired) && present !== undefined && { spec: mergedSpec(present, desired) }),
    metadata: { ...present?.metadata, ...metadata, labels, annotations },
  }
}

const description =
  'DO NOT EDIT - This resource is managed by gardener-resource-manager.\nAny modifications are discarded and the resource is returned to the original state.'

const isWorkload = ({ apiVersion, kind }: KubernetesObject): boolean =>
  apiVersion === 'apps/v1' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind)

const restartedAt = 'kubectl.kubernetes.io/restartedAt'

/** Retains a requested restart, and replicas that are not desired or belong to an autoscaler. */
const mergedSpec = (present: KubernetesObject, { metadata, spec }: KubernetesObject): object => {
  const [before, after] = [Object(present.spec), Object(spec)]
  const isScaledByOthers =
    after.replicas === undefined || metadata.annotations?.[`${prefix}/preserve-replicas`] === 'true'
  const restarted = before.template?.metadata?.annotations?.[restartedAt]
  const { metadata: template } = after.template
  return {
    ...after,
    ...(isScaledByOthers && before.replicas !== undefined && { replicas: before.replicas }),
    ...(restarted !== undefined && {
      template: {
        ...after.template,
        metadata: { ...template, annotations: { ...template?.annotations, [restartedAt]: restarted } },
      },
    }),
  }
}

/** Returns `v1/ConfigMap/kube-system/name`, as a resource manager names objects. */
export const idOf = ({
  apiVersion,
  kind,
  metadata: { name, namespace },
}: Pick<KubernetesObject, 'apiVersion' | 'kind'> & {
  readonly metadata: { readonly name: string; readonly namespace?: string }
}): string => [apiVersion, kind, ...(namespace === undefined ? [] : [namespace]), name].join('/')
