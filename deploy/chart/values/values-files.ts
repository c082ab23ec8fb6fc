import { Document, isMap, isPair, isScalar } from 'yaml'
import * as z from 'zod'

type ValuesSchema = z.ZodObject

/** A schema as JSON ValuesSchema has it, as far as it is used here. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly enum?: readonly unknown[]
}

/** `values.schema.json`: draft 7, which every release of Helm 3 and later supports. */
export const jsonSchemaOf = (schema: ValuesSchema): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as JsonSchema

const head =
  ' The values of the chart, each with what it has by itself. Made from the definitions and the schema of the values by make manifests.'

/** Maps with uniform entries: only the first entry is described. */
const alike = new Set(['functions', 'components'])

/** `values.yaml`: the defaults, each with a description. */
export const valuesYaml = (schema: ValuesSchema): string => {
  const values = schema.parse({})
  const document = new Document(values, { aliasDuplicateObjects: false })
  comment(document.contents, jsonSchemaOf(schema), true)
  document.commentBefore = head
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

const comment = (node: unknown, schema: JsonSchema, isDescribed: boolean, name = ''): void => {
  if (!isMap(node)) return
  node.items.forEach((pair, index) => {
    if (!isPair(pair) || !isScalar(pair.key)) return
    const key = String(pair.key.value)
    const property = schema.properties?.[key] ?? {}
    if (isDescribed && property.description !== undefined)
      pair.key.commentBefore = ` ${property.description}${choices(property)}`
    comment(pair.value, property, isDescribed && (index === 0 || !alike.has(name)), key)
  })
}

const choices = ({ enum: values }: JsonSchema): string =>
  values === undefined ? '' : ` One of ${values.join(', ')}.`
