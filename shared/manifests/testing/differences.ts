import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** Returns `apps/v1 Deployment shoot--foo--bar/csi-driver-controller`. */
export const idOf = ({ apiVersion, kind, metadata }: KubernetesObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

/**
 * Returns the differences of two lists of objects as readable lines: missing, additional and duplicate objects, and
 * each field as `<object> <path>: <expected> → <got>`. Ignores the order of objects and fields, and treats null as
 * absent.
 */
export const differencesOfObjects = (
  expected: readonly KubernetesObject[],
  got: readonly KubernetesObject[],
): readonly string[] => {
  const gotById = Map.groupBy(got, idOf)
  const expectedById = Map.groupBy(expected, idOf)
  return [
    ...[...expectedById.keys()].filter(id => !gotById.has(id)).map(id => `${id}: missing`),
    ...[...gotById].flatMap(([id, [object, ...others]]) => {
      const [wanted, ...wantedToo] = expectedById.get(id) ?? []
      if (wanted === undefined) return [`${id}: too many`]
      const twice = others.length === wantedToo.length ? [] : [`${id}: there ${others.length + 1} times`]
      return [...twice, ...differences(wanted, object).map(line => `${id} ${line}`)]
    }),
  ]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns `spec.replicas: 1 → 0` for each different field. */
const differences = (expected: unknown, got: unknown, path = ''): readonly string[] => {
  if (isObject(expected) && isObject(got)) {
    return [...new Set([...Object.keys(expected), ...Object.keys(got)])].flatMap(key =>
      differences(expected[key], got[key], path === '' ? key : `${path}.${key}`),
    )
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    return Array.from({ length: Math.max(expected.length, got.length) }).flatMap((_, index) =>
      differences(expected[index], got[index], `${path}[${index}]`),
    )
  }
  return (expected ?? undefined) === (got ?? undefined)
    ? []
    : [`${path}: ${jsonOf(expected)} → ${jsonOf(got)}`]
}

const jsonOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
