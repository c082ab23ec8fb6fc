/** A CEL rule (`x-kubernetes-validations`). */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/** The supported part of a CRD's `openAPIV3Schema`. */
export interface EnforcedSchema {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly nullable?: boolean
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, EnforcedSchema>>
  readonly additionalProperties?: boolean | EnforcedSchema
  readonly items?: EnforcedSchema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly allOf?: readonly EnforcedSchema[]
  readonly anyOf?: readonly EnforcedSchema[]
  readonly oneOf?: readonly EnforcedSchema[]
  readonly not?: EnforcedSchema
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
}

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the schema of a field of an object, or undefined if it may be anything. */
export const fieldSchema = (schema: EnforcedSchema | undefined, name: string): EnforcedSchema | undefined => {
  if (schema?.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name]
  return isRecord(schema?.additionalProperties) ? schema.additionalProperties : undefined
}

/** `spec` + `values` → `spec.values`; at the root only the name. */
export const childPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
