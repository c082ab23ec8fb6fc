import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
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

/** Returns the value in JSON without undefined and null fields. */
const comparable = (value: unknown): unknown =>
  value && JSON.parse(JSON.stringify(value, (_, field) => field ?? undefined))

/**
 * Describes the changes between two forms of an object in one sentence. Undefined: one sentence is not enough.
 *
 * @param shown the second form without secrets
 */
const changeSummary = ([before, after]: readonly [unknown, unknown], shown: unknown): string | undefined => {
  const isAll = (isOfThem: IsField) => isDeepStrictEqual(without(before, isOfThem), without(after, isOfThem))
  if (isAll(isChecksum)) {
    const [past, wanted] = [fieldsOf(before, isChecksum), fieldsOf(after, isChecksum)]
    const changed = [...new Set([...past.keys(), ...wanted.keys()])].filter(
      name => !isDeepStrictEqual(past.get(name), wanted.get(name)),
    )
    return `its pods restart: new ${changed.join(', ')}`
  }
  if (isAll(isBundle)) {
    const trusted = [...fieldsOf(shown, isBundle).values()].flat()
    return `it trusts different certificates: ${[...new Set(trusted)].join(', ')}`
  }
  return undefined
}

type IsField = (name: string) => boolean

const isChecksum: IsField = name => name.startsWith('checksum/')
const isBundle: IsField = name => name === 'caBundle'

const without = (value: unknown, isField: IsField): unknown =>
  comparable(JSON.parse(JSON.stringify(value ?? null), (name, field) => (isField(name) ? undefined : field)))

/** Returns the values of all matching fields at any depth. */
const fieldsOf = (value: unknown, isField: IsField): ReadonlyMap<string, readonly unknown[]> => {
  const found = new Map<string, unknown[]>()
  JSON.stringify(value, (name, field) => {
    if (isField(name)) found.set(name, [...(found.get(name) ?? []), field])
    return field
  })
  return found
}
