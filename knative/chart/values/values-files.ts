import { Document, isMap, isPair, isScalar } from 'yaml'
import * as z from 'zod'

/** A JSON schema, as far as it is used here. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  /** The schema of the entries of a map, whose names are listed. */
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly $ref?: string
}

/** Returns a schema of draft 7, which every release of Helm 3 and later supports. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as JsonSchema

/** Returns the schema of the entries of a map with listed names. */
export const entrySchema = ({ propertyNames, additionalProperties }: JsonSchema): JsonSchema | undefined =>
  propertyNames?.enum !== undefined && typeof additionalProperties === 'object'
    ? additionalProperties
    : undefined

/**
 * `values.schema.json`. The names of entries are properties, because Helm reports errors of `propertyNames` with a
 * wrong path. Null is allowed instead of any value, and stands for its default.
 */
export const schemaFile = (schema: JsonSchema): string => {
  const definitions: Record<string, JsonSchema> = {}
  const named = (node: JsonSchema, key: string): JsonSchema => {
    const entry = entrySchema(node)
    if (entry === undefined) {
      const { properties, additionalProperties: others } = node
      return orNull({
        ...node,
        ...(properties && { properties: mapped(properties, named) }),
        ...(typeof others === 'object' && { additionalProperties: orNull(others) }),
      })
    }
    definitions[key] = named(entry, key)
    const { propertyNames: names, additionalProperties: _, ...others } = node
    const reference = { $ref: `#/definitions/${key}` }
    const properties = Object.fromEntries((names?.enum ?? []).map(name => [String(name), reference]))
    return orNull({ ...others, properties, additionalProperties: false })
  }
  return `${JSON.stringify({ ...named(schema, ''), type: 'object', definitions }, null, 2)}\n`
}

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(typeof schema.type === 'string' && { type: [schema.type, 'null'] }),
  ...(schema.enum && { enum: [...schema.enum, null] }),
})

const mapped = (
  properties: Readonly<Record<string, JsonSchema>>,
  change: (property: JsonSchema, key: string) => JsonSchema,
) => Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, change(property, key)]))

const head =
  ' The values of the chart, each with its default. Generated from the definitions and the schema of the values by make manifests.'

/** `values.yaml`: the defaults, each with a description. Entries that are alike are described once, in the first. */
export const valuesYaml = (values: object, schema: JsonSchema): string => {
  const document = new Document(values, { aliasDuplicateObjects: false })
  describe(document.contents, schema)
  document.commentBefore = head
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

const describe = (node: unknown, schema: JsonSchema): void => {
  if (!isMap(node)) return
  const entry = entrySchema(schema)
  node.items.forEach((pair, index) => {
    if (!isPair(pair) || !isScalar(pair.key)) return
    if (entry !== undefined && index > 0) {
      if (isMap(pair.value)) pair.value.flow = true
      return
    }
    const property = entry ?? schema.properties?.[String(pair.key.value)] ?? {}
    if (property.description !== undefined)
      pair.key.commentBefore = ` ${property.description}${choices(property)}`
    describe(pair.value, property)
  })
}

/** Returns the sentence that lists the possible values. */
export const choices = ({ enum: values }: JsonSchema): string =>
  values === undefined ? '' : ` One of ${values.map(value => (value === '' ? '""' : value)).join(', ')}.`
