import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { firstAt } from './first-at.ts'

/** The paths of an object's scale values, from a CRD's `subresources.scale`: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicas: string
  readonly statusReplicas: string
  /** The selector of the counted objects, as a text or as a `metav1.LabelSelector`. Absent: no selector. */
  readonly selector?: string
}

/** Returns an `autoscaling/v1` Scale: a view of the object. */
export const scaleOf = (object: KubernetesObject, paths: ScalePaths): KubernetesObject => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = numberAt(object, paths.specReplicas)
  const selector = paths.selector === undefined ? '' : selectorText(firstAt(object, paths.selector))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid: uid ?? '',
      resourceVersion: resourceVersion ?? '',
      creationTimestamp: creationTimestamp ?? '',
    },
    // Go omits a zero here, but not in the status.
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, paths.statusReplicas),
      ...(selector !== '' && { selector }),
    },
  }
}

const numberAt = (object: KubernetesObject, path: string): number => {
  const found = firstAt(object, path)
  return typeof found === 'number' ? found : 0
}

/** Returns `app=x,tier in (a,b)`. */
const selectorText = (selector: unknown): string => {
  if (typeof selector === 'string') return selector
  if (!isRecord(selector)) return ''
  const labels = isRecord(selector.matchLabels) ? Object.entries(selector.matchLabels) : []
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions : []
  return [
    ...labels.map(([key, value]) => [key, `${key}=${value}`] as const),
    ...expressions.filter(isRecord).map(({ key, operator, values }) => {
      const list = `(${Array.isArray(values) ? values.toSorted().join(',') : ''})`
      const texts: Readonly<Record<string, string>> = {
        In: `${key} in ${list}`,
        NotIn: `${key} notin ${list}`,
        Exists: `${key}`,
        DoesNotExist: `!${key}`,
      }
      return [String(key), texts[String(operator)] ?? ''] as const
    }),
  ]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join(',')
}

/** Returns the object with the replicas of a scale. The path has only field names; CRDs allow no other. */
export const withReplicas = (
  object: KubernetesObject,
  { specReplicas }: ScalePaths,
  replicas: number,
): KubernetesObject => withValue(object, specReplicas.split('.').slice(1), replicas) as KubernetesObject

const withValue = (value: unknown, [field, ...rest]: readonly string[], leaf: number): unknown =>
  field === undefined
    ? leaf
    : isRecord(value)
      ? { ...value, [field]: withValue(value[field], rest, leaf) }
      : { [field]: withValue(undefined, rest, leaf) }
