import * as z from 'zod'

/** A node of an OpenAPI v3 schema in the structural form of CRDs. */
export type StructuralSchema = {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  readonly additionalProperties?: StructuralSchema
  readonly items?: StructuralSchema
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** Keywords with the same meaning in a CRD; they are copied. */
const kept = [
  'description',
  'type',
  'format',
  'enum',
  'default',
  'pattern',
  'maxLength',
  'minLength',
  'nullable',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
] as const

/** Returns the structural schema of a zod schema. Fields and lists of required fields are sorted. */
export const structuralSchema = (schema: z.ZodType): StructuralSchema =>
  structural(z.toJSONSchema(schema, { target: 'openapi-3.0', override: leaveWordsOpen }))

/**
 * Gardener's CRDs leave the values of enumerations to admission and the backend, so that a new value needs no new CRD.
 * `z.enum` is checked only when an object is parsed; `z.literal` also by the API server.
 */
const leaveWordsOpen: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  if (zodSchema._zod.def.type === 'enum') delete jsonSchema.enum
}

const structural = (node: unknown): StructuralSchema => {
  if (typeof node !== 'object' || node === null) return {}
  const source: Readonly<Record<string, unknown>> = { ...node }
  const keywords = Object.fromEntries(
    kept.filter(keyword => source[keyword] !== undefined).map(keyword => [keyword, source[keyword]]),
  )
  if (source['x-kubernetes-int-or-string'] === true)
    return { ...keywords, anyOf: [{ type: 'integer' }, { type: 'string' }] }
  if (source['x-kubernetes-preserve-unknown-fields'] === true && !isClosed(source)) return keywords
  // The format implies it, and zod's expressions are not RE2.
  if (keywords.format !== undefined) delete keywords.pattern
  return { ...keywords, ...children(source) }
}

/**
 * Returns true for `z.object`, which lists all known fields. `z.looseObject` lists only the fields that Trellis reads
 * of a foreign type.
 */
const isClosed = ({ additionalProperties }: Readonly<Record<string, unknown>>): boolean =>
  additionalProperties === false

const children = (source: Readonly<Record<string, unknown>>): StructuralSchema => {
  const { properties, additionalProperties, items, required } = source
  const hasFields = typeof properties === 'object' && properties !== null
  const isMap = typeof additionalProperties === 'object' && !hasFields
  return {
    ...(hasFields ? { properties: sorted(properties) } : {}),
    ...(isMap ? { additionalProperties: structural(additionalProperties) } : {}),
    ...(items === undefined ? {} : { items: structural(items) }),
    ...(Array.isArray(required) && required.length > 0 ? { required: required.map(String).sort() } : {}),
  }
}

const sorted = (properties: object): Record<string, StructuralSchema> =>
  Object.fromEntries(
    Object.entries(properties)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, property]) => [name, structural(property)]),
  )
