import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { changeSummary, comparable } from './change-summary.ts'
import type { ObjectChange, ObjectId } from './object-change.ts'
import { type ShownOptions, shownObjects } from './shown-objects.ts'

/**
 * Returns the changed objects between two contents of a ManagedResource, or two states of a cluster, in the order of
 * the second.
 */
export const objectChanges = (
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
  options: ShownOptions,
): readonly ObjectChange[] => {
  const present = new Map(before.map(object => [keyOf(object), object]))
  const wanted = new Set(after.map(keyOf))
  const kept = after.flatMap(object => changeOf(present.get(keyOf(object)), object, options))
  const gone = before.filter(object => !wanted.has(keyOf(object)))
  return [...kept, ...gone.flatMap(object => changeOf(object, undefined, options))]
}

const changeOf = (
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  options: ShownOptions,
): readonly ObjectChange[] => {
  const object = after ?? before
  if (object === undefined || isDeepStrictEqual(comparable(before), comparable(after))) return []
  const [shownBefore, shownAfter] = shownObjects(before, after, options)
  const kind = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
  const summary = kind === 'update' ? changeSummary([before, after], shownAfter) : undefined
  return [{ kind, id: idOf(object), before: shownBefore, after: shownAfter, summary }]
}

const idOf = ({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): ObjectId => ({
  apiVersion,
  kind,
  ...(namespace !== undefined && { namespace }),
  name,
})

/** Independent of the version: an object in another version is the same object. */
export const keyOf = ({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string =>
  JSON.stringify([apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '', kind, namespace, name])
