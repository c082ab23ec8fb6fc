import { isDeepStrictEqual } from 'node:util'
import type { StatusCause } from '../requests/api-error.ts'
import { matchesFormat } from './formats.ts'
import { formerItem } from './former-item.ts'
import {
  childPath,
  type EnforcedSchema,
  fieldSchema,
  isRecord,
  type JsonRecord,
} from './structural-schema.ts'

/**
 * Returns the errors of a value, with kube-apiserver's texts. `old` is its previous state, undefined for a new value.
 * Unchanged values are not reported (KEP-4008).
 */
export const validate = (
  value: unknown,
  schema: EnforcedSchema,
  path: string,
  old?: unknown,
): readonly StatusCause[] => {
  const causes: StatusCause[] = []
  check(value, schema, path, causes, old)
  return causes
}

const check = (
  value: unknown,
  schema: EnforcedSchema,
  path: string,
  causes: StatusCause[],
  old: unknown,
): void => {
  if (old !== undefined && isDeepStrictEqual(value, old)) return
  if (value === null && schema.nullable === true) {
    checkEnum(value, schema, path, causes)
    return
  }
  if (!hasType(value, schema)) {
    causes.push(wrongType(value, schema, path))
    checkEnum(value, schema, path, causes)
    return
  }
  checkEnum(value, schema, path, causes)
  checkCombinations(value, schema, path, causes)
  if (typeof value === 'string') checkString(value, schema, path, causes)
  else if (typeof value === 'number') checkNumber(value, schema, path, causes)
  else if (Array.isArray(value)) checkArray(value, schema, path, causes, old)
  else if (isRecord(value)) checkRecord(value, schema, path, causes, old)
}

const typeName = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

const hasType = (value: unknown, schema: EnforcedSchema): boolean => {
  const actual = typeName(value)
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string'
  if (schema.type === undefined) return true
  return actual === schema.type || (schema.type === 'number' && actual === 'integer')
}

const wrongType = (value: unknown, schema: EnforcedSchema, path: string): StatusCause => {
  const wanted = schema['x-kubernetes-int-or-string'] ? 'integer,string' : schema.type
  return {
    reason: 'FieldValueTypeInvalid',
    message: `Invalid value: "${typeName(value)}": ${path} in body must be of type ${wanted}: "${typeName(value)}"`,
    field: path,
  }
}

/** Returns the error of a value: `Invalid value: 0: spec.ttl in body should be …`. */
const fault = (value: unknown, path: string, text: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${path} in body ${text}`,
  field: path,
})

const tooMany = (count: number, most: number): string =>
  `Too many: ${count}: must have at most ${most} ${most === 1 ? 'item' : 'items'}`

const checkEnum = (value: unknown, schema: EnforcedSchema, path: string, causes: StatusCause[]): void => {
  if (!schema.enum || schema.enum.some(allowed => isDeepStrictEqual(allowed, value))) return
  const supported = schema.enum.map(allowed => JSON.stringify(allowed)).join(', ')
  causes.push({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`,
    field: path,
  })
}

const checkString = (value: string, schema: EnforcedSchema, path: string, causes: StatusCause[]): void => {
  const length = [...value].length
  if (schema.minLength !== undefined && length < schema.minLength) {
    causes.push(fault(value, path, `should be at least ${schema.minLength} chars long`))
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${schema.maxLength} bytes`,
      field: path,
    })
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) {
    causes.push(fault(value, path, `should match '${schema.pattern}'`))
  }
  if (schema.format !== undefined && !matchesFormat(value, schema.format)) {
    causes.push({
      ...fault(value, path, `must be of type ${schema.format}: ${JSON.stringify(value)}`),
      reason: 'FieldValueTypeInvalid',
    })
  }
}

const checkNumber = (value: number, schema: EnforcedSchema, path: string, causes: StatusCause[]): void => {
  const { minimum, maximum, multipleOf } = schema
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    const text = schema.exclusiveMinimum ? 'should be greater than' : 'should be greater than or equal to'
    causes.push(fault(value, path, `${text} ${minimum}`))
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    const text = schema.exclusiveMaximum ? 'should be less than' : 'should be less than or equal to'
    causes.push(fault(value, path, `${text} ${maximum}`))
  }
  if (multipleOf !== undefined && value % multipleOf !== 0) {
    causes.push(fault(value, path, `should be a multiple of ${multipleOf}`))
  }
}

const checkArray = (
  value: readonly unknown[],
  schema: EnforcedSchema,
  path: string,
  causes: StatusCause[],
  old: unknown,
): void => {
  const { items } = schema
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    causes.push(fault(value.length, path, `should have at least ${schema.minItems} items`))
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    causes.push({
      reason: 'FieldValueTooMany',
      message: tooMany(value.length, schema.maxItems),
      field: path,
    })
  }
  checkDistinct(value, schema, path, causes)
  if (items) {
    value.forEach((item, index) => {
      check(item, items, `${path}[${index}]`, causes, formerItem(item, old, schema))
    })
  }
}

/** Items of a `set` and keys of a `map` must be unique. */
const checkDistinct = (
  value: readonly unknown[],
  schema: EnforcedSchema,
  path: string,
  causes: StatusCause[],
): void => {
  const listType = schema['x-kubernetes-list-type']
  const mapKeys = schema['x-kubernetes-list-map-keys'] ?? []
  if (listType !== 'set' && listType !== 'map' && schema.uniqueItems !== true) return
  const seen = new Set<string>()
  value.forEach((item, index) => {
    const identity =
      listType === 'map' && isRecord(item) ? Object.fromEntries(mapKeys.map(key => [key, item[key]])) : item
    const text = JSON.stringify(identity)
    if (seen.has(text)) {
      causes.push({
        reason: 'FieldValueDuplicate',
        message: `Duplicate value: ${text}`,
        field: `${path}[${index}]`,
      })
    }
    seen.add(text)
  })
}

const checkRecord = (
  value: JsonRecord,
  schema: EnforcedSchema,
  path: string,
  causes: StatusCause[],
  old: unknown,
): void => {
  for (const name of schema.required ?? []) {
    if (value[name] === undefined) {
      causes.push({ reason: 'FieldValueRequired', message: 'Required value', field: childPath(path, name) })
    }
  }
  const count = Object.keys(value).length
  if (schema.minProperties !== undefined && count < schema.minProperties) {
    causes.push(fault(count, path, `should have at least ${schema.minProperties} properties`))
  }
  if (schema.maxProperties !== undefined && count > schema.maxProperties) {
    causes.push({
      reason: 'FieldValueTooMany',
      message: tooMany(count, schema.maxProperties),
      field: path,
    })
  }
  const before = isRecord(old) ? old : {}
  for (const [name, field] of Object.entries(value)) {
    if (path === '' && name === 'metadata') continue
    const part = fieldSchema(schema, name)
    if (part) check(field, part, childPath(path, name), causes, before[name])
  }
}

const checkCombinations = (
  value: unknown,
  schema: EnforcedSchema,
  path: string,
  causes: StatusCause[],
): void => {
  const passes = (part: EnforcedSchema): boolean => validate(value, part, path).length === 0
  const combination = (text: string): void => {
    causes.push({ reason: 'FieldValueInvalid', message: `Invalid value: "": ${text}`, field: '<nil>' })
  }
  for (const part of schema.allOf ?? []) check(value, part, path, causes, undefined)
  if (schema.anyOf && !schema.anyOf.some(passes)) {
    combination(`"${path}" must validate at least one schema (anyOf)`)
  }
  const alternatives = schema.oneOf?.filter(passes).length
  if (alternatives !== undefined && alternatives !== 1) {
    const found = alternatives === 0 ? 'none valid' : `${alternatives} valid alternatives`
    combination(`"${path}" must validate one and only one schema (oneOf). Found ${found}`)
  }
  if (schema.not && passes(schema.not)) combination(`"${path}" must not validate the schema (not)`)
}
