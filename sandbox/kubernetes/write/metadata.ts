import type { KubernetesObject, ObjectMeta } from '../../../shared/kubernetes/kubernetes.ts'
import type { StatusCause } from '../requests/api-error.ts'
import { type ResourceDefinition, resourceName } from '../resources/resource-definition.ts'
import { isRecord } from '../schema/structural-schema.ts'

const fault = (field: string, value: unknown, text: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${text}`,
  field,
})

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const qualifiedPart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const qualifiedText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

/** Maximum size of all annotations of an object, in bytes. */
const annotationLimit = 262_144

/** A name with more than one slash has no valid prefix. */
const qualifiedNameText = (name: string): string =>
  name.split('/').length > 2
    ? `${qualifiedText.replace('name part', 'a valid label key')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
    : qualifiedText

const isQualifiedName = (name: string): boolean => {
  const [first = '', second, ...more] = name.split('/')
  if (more.length > 0) return false
  if (second === undefined) return first.length <= 63 && qualifiedPart.test(first)
  return first.length <= 253 && subdomain.test(first) && second.length <= 63 && qualifiedPart.test(second)
}

const nameFaults = (
  type: ResourceDefinition,
  name: string,
  field = 'metadata.name',
): readonly StatusCause[] => {
  // Names of RBAC objects may be any text that is valid in a path.
  if (type.group === 'rbac.authorization.k8s.io') {
    return name === '.' || name === '..' || /[/%]/.test(name)
      ? [fault(field, name, "may not contain '/' or '%'")]
      : []
  }
  if (resourceName(type) === 'namespaces') {
    return name.length <= 63 && label.test(name) ? [] : [fault(field, name, labelText)]
  }
  return name.length <= 253 && subdomain.test(name) ? [] : [fault(field, name, subdomainText)]
}

/** A prefix may end in a dash, because the suffix follows it. kube-apiserver then ignores the letter before it. */
const prefixFaults = (type: ResourceDefinition, prefix: unknown): readonly StatusCause[] =>
  typeof prefix !== 'string' || prefix === ''
    ? []
    : nameFaults(type, prefix.replace(/.-$/, 'a'), 'metadata.generateName').map(cause => ({
        ...cause,
        message: cause.message.replace(/^Invalid value: ".*?":/, `Invalid value: ${JSON.stringify(prefix)}:`),
      }))

export const metadataFaults = (type: ResourceDefinition, metadata: ObjectMeta): readonly StatusCause[] => {
  const { annotations = {}, finalizers = [] } = metadata
  const causes = [
    ...prefixFaults(type, metadata.generateName),
    ...nameFaults(type, metadata.name),
    ...labelFaults(metadata.labels ?? {}),
  ]
  let size = 0
  for (const [key, value] of Object.entries(annotations)) {
    size += key.length + value.length
    if (!isQualifiedName(key.toLowerCase()))
      causes.push(fault('metadata.annotations', key, qualifiedNameText(key)))
  }
  if (size > annotationLimit) {
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${annotationLimit} bytes`,
      field: 'metadata.annotations',
    })
  }
  for (const finalizer of finalizers) {
    if (!isQualifiedName(finalizer))
      causes.push(fault('metadata.finalizers', finalizer, qualifiedNameText(finalizer)))
  }
  return [...causes, ...ownerFaults(metadata.ownerReferences)]
}

const labelFaults = (labels: Readonly<Record<string, string>>): readonly StatusCause[] => {
  const causes: StatusCause[] = []
  for (const [key, value] of Object.entries(labels)) {
    if (!isQualifiedName(key)) causes.push(fault('metadata.labels', key, qualifiedNameText(key)))
    if (value.length > 63) {
      causes.push(fault('metadata.labels', value, 'must be no more than 63 bytes'))
    } else if (!labelValue.test(value)) causes.push(fault('metadata.labels', value, labelValueText))
  }
  return causes
}

const ownerFaults = (references: unknown): readonly StatusCause[] => {
  const causes: StatusCause[] = []
  if (!Array.isArray(references)) return causes
  for (const reference of references) {
    for (const name of ['apiVersion', 'kind', 'name', 'uid']) {
      if (isRecord(reference) && typeof reference[name] === 'string' && reference[name] !== '') continue
      const text = name === 'apiVersion' ? 'version must not be empty' : 'must not be empty'
      causes.push(fault(`metadata.ownerReferences.${name}`, '', text))
    }
  }
  return causes
}

export const metadataUpdateFaults = (next: ObjectMeta, previous: ObjectMeta): readonly StatusCause[] => {
  const causes: StatusCause[] = []
  for (const name of ['name', 'namespace', 'uid', 'deletionTimestamp']) {
    if (next[name] !== previous[name])
      causes.push(fault(`metadata.${name}`, next[name], 'field is immutable'))
  }
  if (previous.deletionTimestamp === undefined) return causes
  const added = (next.finalizers ?? []).filter(name => !(previous.finalizers ?? []).includes(name))
  if (added.length > 0) {
    causes.push({
      reason: 'FieldValueForbidden',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map(name => JSON.stringify(name)).join(', ')}}`,
      field: 'metadata.finalizers',
    })
  }
  return causes
}

/** Empty maps, empty lists and nulls are not stored. */
export const tidyMetadata = (metadata: ObjectMeta): ObjectMeta => {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null || value === undefined || value === '') continue
    if (Array.isArray(value) && value.length === 0) continue
    if (isRecord(value) && Object.keys(value).length === 0) continue
    kept[name] = value
  }
  return { ...kept, name: metadata.name }
}

/** Returns true if finalizers block the deletion of an object. */
export const isHeld = (type: ResourceDefinition, object: KubernetesObject): boolean =>
  (object.metadata.finalizers ?? []).length > 0 || (type.holdsDeletion?.(object) ?? false)

/** Returns kube-apiserver's warnings about finalizers that others may use too. */
export const metadataWarnings = (metadata: ObjectMeta): readonly string[] =>
  (metadata.finalizers ?? [])
    .filter(name => !name.includes('/') && name !== 'orphan' && name !== 'foregroundDeletion')
    .map(
      name =>
        `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    )
