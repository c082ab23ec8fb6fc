import { isDeepStrictEqual } from 'node:util'
import type { StatusCause } from '../requests/api-error.ts'
import { celMessageOf, createCelPrograms } from './cel-programs.ts'
import { celValue } from './cel-value.ts'
import { formerItem } from './former-item.ts'
import {
  childPath,
  type EnforcedSchema,
  fieldSchema,
  isRecord,
  type ValidationRule,
} from './structural-schema.ts'

/** Runs the CEL rules (`x-kubernetes-validations`) of schemas. Each expression is parsed once. */
export interface RuleChecker {
  /** Returns the violated rules of a value. `old` is its previous state; undefined for a new value. */
  check(value: unknown, old: unknown, schema: EnforcedSchema): readonly StatusCause[]
  /** Returns true if the schema has rules. */
  applies(schema: EnforcedSchema): boolean
}

export const createCelRuleChecker = (): RuleChecker => {
  const program = createCelPrograms()
  const ruled = new WeakMap<EnforcedSchema, boolean>()

  /** Returns true if there is a rule here or below. Most parts of a schema have none and are skipped. */
  const hasRules = (schema: EnforcedSchema): boolean => {
    const answer = ruled.get(schema)
    if (answer !== undefined) return answer
    const found = Boolean(schema['x-kubernetes-validations']?.length) || childrenOf(schema).some(hasRules)
    ruled.set(schema, found)
    return found
  }

  const runRule = (
    rule: ValidationRule,
    value: unknown,
    old: unknown,
    schema: EnforcedSchema,
    path: string,
  ): StatusCause | undefined => {
    if (isTransition(rule) && old === undefined && rule.optionalOldSelf !== true) return undefined
    const variables = { self: celValue(value, schema), oldSelf: celValue(old, schema) }
    try {
      if (program(rule.rule)(variables) === true) return undefined
    } catch (error) {
      return fault(value, path, `${rule.rule}: ${celMessageOf(error)}`, rule)
    }
    return fault(value, path, ruleMessage(rule, variables), rule)
  }

  const ruleMessage = (rule: ValidationRule, variables: Record<string, unknown>): string => {
    if (rule.messageExpression !== undefined) {
      try {
        const text = program(rule.messageExpression)(variables)
        if (typeof text === 'string' && text !== '') return text
      } catch {
        // If the message cannot be computed, the fixed one is used, as in kube-apiserver.
      }
    }
    return rule.message ?? `failed rule: ${rule.rule}`
  }

  const walk = (
    value: unknown,
    old: unknown,
    schema: EnforcedSchema,
    path: string,
    causes: StatusCause[],
  ): void => {
    if (value === undefined || value === null || !hasRules(schema)) return
    const isSame = old !== undefined && isDeepStrictEqual(value, old)
    for (const rule of schema['x-kubernetes-validations'] ?? []) {
      // Unchanged values are not checked, except by transition rules.
      if (isSame && !isTransition(rule)) continue
      const cause = runRule(rule, value, old, schema, path)
      if (cause) causes.push(cause)
    }
    if (isRecord(value)) {
      const before = isRecord(old) ? old : {}
      for (const [name, field] of Object.entries(value)) {
        const child = fieldSchema(schema, name)
        if (child) walk(field, before[name], child, childPath(path, name), causes)
      }
    } else if (Array.isArray(value) && schema.items) {
      const { items } = schema
      value.forEach((item, index) => {
        walk(item, formerItem(item, old, schema), items, `${path}[${index}]`, causes)
      })
    }
  }

  return {
    applies: hasRules,
    check: (value, old, schema) => {
      const causes: StatusCause[] = []
      walk(value, old, schema, '', causes)
      return causes
    },
  }
}

const isTransition = ({ rule }: ValidationRule): boolean => /\boldSelf\b/.test(rule)

const childrenOf = (schema: EnforcedSchema): readonly EnforcedSchema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items ? [schema.items] : []),
  ...(isRecord(schema.additionalProperties) ? [schema.additionalProperties] : []),
]

const fault = (value: unknown, path: string, message: string, rule: ValidationRule): StatusCause => ({
  reason: rule.reason ?? 'FieldValueInvalid',
  message: `Invalid value: ${shown(value)}${message}`,
  field: rule.fieldPath === undefined ? path : `${path}${rule.fieldPath}`,
})

/** Objects and lists are omitted, as in kube-apiserver. */
const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? '' : `${JSON.stringify(value)}: `
