import { formatSeconds, type Timestamp } from '../../clock/clock.ts'
import {
  type GroupVersionResource,
  KubernetesError,
  type KubernetesObject,
  mergePatch,
  type ObjectKey,
} from '../../kubernetes/kubernetes.ts'
import { listPages } from '../../kubernetes/list-all.ts'
import {
  bareKey,
  idOf,
  type PlanKubernetes,
  type ReadKubernetes,
  readOnce,
  unlocked,
  withoutLock,
} from './plan-kubernetes.ts'

/** Reads see the writes, but no write is executed. */
export interface WrittenKubernetes extends PlanKubernetes {
  /** Simulates the write of another actor. Undefined deletes the object. */
  readonly put: (resource: GroupVersionResource, key: ObjectKey, object: KubernetesObject | undefined) => void
}

/**
 * Returns an API server in the state after the writes of a plan, for sequential steps that depend on earlier writes.
 * Like a server, it sets generations and times and waits for finalizers. Lists select only by labels.
 */
export const writtenKubernetes = (
  reader: ReadKubernetes,
  { signal, now }: { readonly signal: AbortSignal; readonly now: Timestamp },
): WrittenKubernetes => {
  const read = readOnce(reader, signal)
  const written = new Map<string, WrittenObject>()
  const put: WrittenKubernetes['put'] = (resource, key, object) =>
    void written.set(idOf(resource, key), { resource, object })
  const get: PlanKubernetes['get'] = async (resource, key) => {
    const known = written.get(idOf(resource, key))
    return known === undefined ? read.get(resource, key) : known.object
  }
  const found = async (resource: GroupVersionResource, key: ObjectKey): Promise<KubernetesObject> => {
    const object = await get(resource, key)
    if (object === undefined)
      throw new KubernetesError(404, 'NotFound', `${resource.plural} ${JSON.stringify(key.name)} not found`)
    return object
  }
  return {
    get,
    put,
    present: (resource, key) => {
      const known = written.get(idOf(resource, key))
      return known === undefined ? read.present(resource, key) : known.object
    },
    list: async (resource, options = {}) => {
      const items: KubernetesObject[] = []
      for await (const page of listPages(read, resource, options))
        items.push(...page.items.filter(({ metadata }) => !written.has(idOf(resource, metadata))))
      const { namespace, labelSelector } = options
      for (const { resource: of, object } of written.values()) {
        if (object === undefined || of.group !== resource.group || of.plural !== resource.plural) continue
        if (namespace !== undefined && object.metadata.namespace !== namespace) continue
        if (hasLabels(object, labelSelector)) items.push(object)
      }
      return { items, resourceVersion: '0' }
    },
    create: async (resource, object) => {
      if ((await get(resource, object.metadata)) !== undefined)
        throw new KubernetesError(
          409,
          'AlreadyExists',
          `${resource.plural} ${JSON.stringify(object.metadata.name)} already exists`,
        )
      const metadata = { ...object.metadata, creationTimestamp: formatSeconds(now), generation: 1 }
      const created = { ...object, metadata }
      put(resource, metadata, created)
      return created
    },
    patch: async (resource, key, patch, { subresource } = {}) => {
      const before = await found(resource, key)
      const patched = mergePatch(before, withoutLock(patch)) as KubernetesObject
      const { generation } = patched.metadata
      const isNew = subresource === undefined && 'spec' in patch && generation !== undefined
      const object = isNew
        ? { ...patched, metadata: { ...patched.metadata, generation: generation + 1 } }
        : patched
      put(resource, bareKey(key), object)
      return object
    },
    // The owners of fields are unknown here, so released fields remain.
    apply: async (resource, object) => {
      const before = await get(resource, bareKey(object.metadata))
      const { generation = 0 } = before?.metadata ?? {}
      const merged = mergePatch(before ?? {}, unlocked(object)) as KubernetesObject
      const isNew = JSON.stringify(merged.spec) !== JSON.stringify(before?.spec)
      const metadata = {
        creationTimestamp: formatSeconds(now),
        ...merged.metadata,
        generation: before === undefined || isNew ? generation + 1 : generation,
      }
      const applied = { ...merged, metadata }
      put(resource, bareKey(object.metadata), applied)
      return applied
    },
    delete: async (resource, key) => {
      const object = await get(resource, key)
      const isHeld = (object?.metadata.finalizers ?? []).length > 0
      if (object === undefined || !isHeld) return put(resource, key, undefined)
      const deletionTimestamp = object.metadata.deletionTimestamp ?? formatSeconds(now)
      put(resource, key, { ...object, metadata: { ...object.metadata, deletionTimestamp } })
    },
  }
}

interface WrittenObject {
  readonly resource: GroupVersionResource
  /** Undefined: deleted. */
  readonly object: KubernetesObject | undefined
}

/** Supports selectors of the form `name=value,other`. */
const hasLabels = ({ metadata: { labels = {} } }: KubernetesObject, selector = ''): boolean =>
  selector
    .split(',')
    .filter(term => term !== '')
    .every(term => {
      const [name = '', value] = term.split('=')
      return value === undefined ? Object.hasOwn(labels, name) : labels[name] === value
    })
