import type { KubernetesObject, Subresource } from '../../../shared/kubernetes/kubernetes.ts'
import type { WriteOptions } from '../requests/api-context.ts'
import { type StatusCause, undecodable } from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import type { RuleChecker } from '../schema/cel-rule-checker.ts'
import { applyDefaults } from '../schema/default.ts'
import { prune } from '../schema/prune.ts'
import { childPath, type EnforcedSchema } from '../schema/structural-schema.ts'
import { validate } from '../schema/validate.ts'
import { scaleFaults } from './scale-faults.ts'

/** Removes unknown fields and sets defaults. The client chooses how unknown fields are handled. */
export const conform = (
  object: KubernetesObject,
  served: ServedResource,
  options: Pick<WriteOptions, 'fieldValidation' | 'warnings'>,
): KubernetesObject => {
  const { type, version } = served
  if (version.schema === undefined) return object
  const unknown: string[] = []
  const pruned = prune(object, version.schema, '', unknown)
  unknown.sort()
  if (unknown.length > 0 && options.fieldValidation === 'Strict') {
    const list = unknown.map(path => `unknown field "${path}"`).join(', ')
    throw undecodable(type.kind, version.name, `strict decoding error: ${list}`)
  }
  if (options.fieldValidation === 'Warn') {
    for (const path of unknown) options.warnings.push(`unknown field "${path}"`)
  }
  if (!type.custom) {
    // Go decodes built-in kinds into typed fields, so an object with a wrong type is invalid.
    const [fault] = validate(pruned, version.schema, '')
    if (fault) throw undecodable(type.kind, version.name, goError(fault, type.kind))
  }
  return applyDefaults(pruned, version.schema) as KubernetesObject
}

/** Returns the error of Go's decoder for a value of a wrong type. */
const goError = ({ field = '', message }: StatusCause, kind: string): string => {
  const [, base64] = message.split('of type byte: "', 2)
  if (base64?.endsWith('"')) return `illegal base64 data at input byte ${firstIllegal(base64.slice(0, -1))}`
  const types = /must be of type (\w+): "(\w+)"$/.exec(message)
  if (!types) return `${field}: ${message}`
  const [, wanted, actual] = types
  const found = actual === 'integer' ? 'number' : actual === 'boolean' ? 'bool' : actual
  const name = field.split(/[.[]/)[0]
  const isBytes = kind === 'Secret' && name === 'data'
  return `json: cannot unmarshal ${found} into Go struct field ${kind}.${name} of type ${isBytes ? '[]uint8' : wanted}`
}

const firstIllegal = (text: string): number => {
  const at = text.search(/[^A-Za-z0-9+/=]/)
  return at < 0 ? text.length - (text.length % 4) : at
}

/** Errors elsewhere in the object do not block a change of the status. */
const statusFaults = (
  object: KubernetesObject,
  previous: KubernetesObject | undefined,
  schema: EnforcedSchema,
): readonly StatusCause[] => {
  const part = schema.properties?.status
  if (part === undefined || object.status === undefined) return []
  return validate(object.status, part, '', previous?.status).map(cause => ({
    ...cause,
    field: cause.field === '<nil>' ? cause.field : cause.field ? childPath('status', cause.field) : 'status',
  }))
}

/** After these errors the rules do not run. */
const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const rulesNotChecked: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
}

export const schemaFaults = (
  object: KubernetesObject,
  previous: KubernetesObject | undefined,
  { type, version }: ServedResource,
  rules: RuleChecker,
  subresource?: Subresource,
): readonly StatusCause[] => {
  if (version.schema === undefined) return []
  const causes = [
    ...(subresource === 'status'
      ? statusFaults(object, previous, version.schema)
      : validate(object, version.schema, '', previous)),
    ...(version.scale === undefined || !type.custom ? [] : scaleFaults(object, version.scale, subresource)),
  ]
  if (!rules.applies(version.schema)) return causes
  // Rules read typed values, so they run only on values with the right shape.
  return causes.some(cause => blocking.has(cause.reason))
    ? [...causes, rulesNotChecked]
    : [...causes, ...rules.check(object, previous, version.schema)]
}
