import type { KubernetesObject, Subresource } from '../../../shared/kubernetes/kubernetes.ts'
import type { StatusCause } from '../requests/api-error.ts'
import type { ScalePaths } from '../resources/scale.ts'
import { isRecord } from '../schema/structural-schema.ts'

/** Returns kube-apiserver's errors at the scale paths of a custom resource, in addition to schema errors. */
export const scaleFaults = (
  object: KubernetesObject,
  { specReplicas, statusReplicas, selector }: ScalePaths,
  subresource?: Subresource,
): readonly StatusCause[] => [
  ...(subresource === 'status' ? [] : replicasFaults(object, specReplicas)),
  ...replicasFaults(object, statusReplicas),
  ...(selector === undefined ? [] : leafFaults(object, selector, 'string')),
]

const replicasFaults = (object: KubernetesObject, path: string): readonly StatusCause[] => {
  const faults = leafFaults(object, path, 'int64')
  const replicas = faults.length === 0 ? Number(lookUp(object, path).value ?? 0) : 0
  if (replicas >= 0 && replicas < 2 ** 31) return faults
  const limit =
    replicas < 0 ? 'should be a non-negative integer' : 'should be less than or equal to 2147483647'
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${replicas}: ${limit}`, field: path }]
}

const leafFaults = (
  object: KubernetesObject,
  path: string,
  expected: 'int64' | 'string',
): readonly StatusCause[] => {
  const { value, at, isLeaf } = lookUp(object, path)
  const isExpected =
    value === undefined ||
    value === null ||
    (isLeaf && (expected === 'string' ? typeof value === 'string' : Number.isInteger(value)))
  if (isExpected) return []
  const type = isLeaf ? expected : 'map[string]interface {}'
  const message = `Invalid value: ${expected === 'string' ? '""' : 0}: ${at} accessor error: ${JSON.stringify(value)} is of another type, expected ${type}`
  return [{ reason: 'FieldValueInvalid', message, field: path }]
}

/** Returns the value at the path, or the first value on it without fields. */
const lookUp = (object: KubernetesObject, path: string) => {
  const fields = path.split('.').slice(1)
  let value: unknown = object
  for (const [index, field] of fields.entries()) {
    if (value === undefined || value === null) break
    if (!isRecord(value)) return { value, at: `.${fields.slice(0, index).join('.')}`, isLeaf: false }
    value = value[field]
  }
  return { value, at: path, isLeaf: true }
}
