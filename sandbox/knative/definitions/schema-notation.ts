import type { EnforcedSchema } from '../../kubernetes/kubernetes.ts'

export const text: EnforcedSchema = { type: 'string' }
/** A text that defaults to empty. */
export const maybeEmpty: EnforcedSchema = { type: 'string', default: '' }
export const flag: EnforcedSchema = { type: 'boolean' }
export const int32: EnforcedSchema = { type: 'integer', format: 'int32' }
export const int64: EnforcedSchema = { type: 'integer', format: 'int64' }

const intOrString: EnforcedSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
}

/** A port number or name. */
export const port = intOrString

/** `500m`, `128Mi`. The pattern is apimachinery's for resource.Quantity. */
export const quantity: EnforcedSchema = {
  ...intOrString,
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
}

type Properties = Readonly<Record<string, EnforcedSchema>>

export const object = (properties: Properties, required: readonly string[] = []): EnforcedSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** An object that is replaced as a whole. */
export const atomic = (schema: EnforcedSchema): EnforcedSchema => ({
  ...schema,
  'x-kubernetes-map-type': 'atomic',
})

/** An object that allows further fields. */
export const open = (properties?: Properties): EnforcedSchema => ({
  type: 'object',
  ...(properties && { properties }),
  'x-kubernetes-preserve-unknown-fields': true,
})

export const mapOf = (values: EnforcedSchema): EnforcedSchema => ({
  type: 'object',
  additionalProperties: values,
})

export const listOf = (items: EnforcedSchema): EnforcedSchema => ({ type: 'array', items })

/** A list that is replaced as a whole. */
export const atomicListOf = (items: EnforcedSchema): EnforcedSchema => ({
  ...listOf(items),
  'x-kubernetes-list-type': 'atomic',
})

/** A list with items that are identified by one field. */
export const listByKey = (key: string, items: EnforcedSchema): EnforcedSchema => ({
  ...listOf(items),
  'x-kubernetes-list-map-keys': [key],
  'x-kubernetes-list-type': 'map',
})
