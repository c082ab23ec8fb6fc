import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { ObjectChange, ObjectId } from './control-plane-plan.ts'
import { type ShownOptions, shownObjects } from './shown-objects.ts'

/** In which objects two contents of a ManagedResource differ, in the order of the second. */
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
  const checksums = kind === 'update' ? changedChecksums(before, after) : []
  return [{ kind, id: idOf(object), before: shownBefore, after: shownAfter, checksums }]
}

/** As JSON has it, where a field that is undefined or null is none. */
const comparable = (object: KubernetesObject | undefined): unknown =>
  object && JSON.parse(JSON.stringify(object, (_, value) => value ?? undefined))

const idOf = ({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): ObjectId => ({
  apiVersion,
  kind,
  ...(namespace !== undefined && { namespace }),
  name,
})

/** Whatever its version: an object whose version changes is the same one. */
const keyOf = ({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string =>
  JSON.stringify([apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '', kind, namespace, name])

/** Annotations of pods with which nothing else changes; empty: something else does. */
const changedChecksums = (before: unknown, after: unknown): readonly string[] => {
  const [present, wanted] = [checksumsIn(before), checksumsIn(after)]
  const names = [...new Set([...Object.keys(present), ...Object.keys(wanted)])]
  const changed = names.filter(name => present[name] !== wanted[name])
  const isAll = isDeepStrictEqual(comparable(withoutChecksums(before)), comparable(withoutChecksums(after)))
  return isAll ? changed : []
}

const isChecksum = (name: string): boolean => name.startsWith('checksum/')

const podMetadataOf = (object: unknown) =>
  Object(Object(Object(Object(object).spec).template).metadata) as {
    readonly annotations?: Readonly<Record<string, string>>
  }

const checksumsIn = (object: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(podMetadataOf(object).annotations ?? {}).filter(([name]) => isChecksum(name)),
  )

const withoutChecksums = (value: unknown): KubernetesObject => {
  const object = structuredClone(value) as KubernetesObject
  const { annotations } = podMetadataOf(object)
  for (const name of Object.keys(annotations ?? {}))
    if (isChecksum(name)) Reflect.deleteProperty(annotations as object, name)
  return object
}
