import { isRecord, type JsonRecord } from '../schema/structural-schema.ts'
import { double, flag, integer, type Message, message, parts, repeated, text } from './protobuf-writer.ts'

// Field numbers: openapiv2/OpenAPIv2.proto of google/gnostic-models. Maps are encoded as lists of names and values.
// Arbitrary JSON is encoded as YAML text, which includes JSON.

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const anything = (value: unknown): Message => text(2, JSON.stringify(value))

const named = (name: string, value: Message): Message => parts(text(1, name), message(2, value))

const entries = (
  field: number,
  value: unknown,
  write: (entry: unknown) => Message,
  wanted: (name: string) => boolean = () => true,
): Message =>
  parts(
    ...Object.entries(isRecord(value) ? value : {})
      .filter(([name]) => wanted(name))
      .map(([name, entry]) => message(field, named(name, write(entry)))),
  )

const extensions = (field: number, value: JsonRecord): Message =>
  entries(field, value, anything, name => name.startsWith('x-'))

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

const additionalProperties = (value: unknown): Message | undefined => {
  if (value === undefined) return undefined
  return isRecord(value) ? message(1, schemaMessage(value)) : flag(2, value)
}

const schemaMessage = (value: unknown): Message => {
  const schema = recordOf(value)
  return parts(
    text(1, schema.$ref),
    text(2, schema.format),
    text(3, schema.title),
    text(4, schema.description),
    message(5, schema.default === undefined ? undefined : anything(schema.default)),
    double(6, schema.multipleOf),
    double(7, schema.maximum),
    flag(8, schema.exclusiveMaximum),
    double(9, schema.minimum),
    flag(10, schema.exclusiveMinimum),
    integer(11, schema.maxLength),
    integer(12, schema.minLength),
    text(13, schema.pattern),
    integer(14, schema.maxItems),
    integer(15, schema.minItems),
    flag(16, schema.uniqueItems),
    integer(17, schema.maxProperties),
    integer(18, schema.minProperties),
    repeated(text, 19, listOf(schema.required)),
    repeated((field, item) => message(field, anything(item)), 20, listOf(schema.enum)),
    message(21, additionalProperties(schema.additionalProperties)),
    message(22, typeof schema.type === 'string' ? text(1, schema.type) : undefined),
    message(23, isRecord(schema.items) ? message(1, schemaMessage(schema.items)) : undefined),
    repeated((field, item) => message(field, schemaMessage(item)), 24, listOf(schema.allOf)),
    message(25, isRecord(schema.properties) ? entries(1, schema.properties, schemaMessage) : undefined),
    extensions(31, schema),
  )
}

const bodyParameter = (parameter: JsonRecord): Message =>
  parts(
    text(1, parameter.description),
    text(2, parameter.name),
    text(3, parameter.in),
    flag(4, parameter.required),
    message(5, schemaMessage(parameter.schema)),
  )

/** Query parameters have one more field before the type than path parameters. */
const otherParameter = (parameter: JsonRecord): Message => {
  const isQuery = parameter.in === 'query'
  const typeAt = isQuery ? 6 : 5
  const inner = parts(
    flag(1, parameter.required),
    text(2, parameter.in),
    text(3, parameter.description),
    text(4, parameter.name),
    text(typeAt, parameter.type),
    flag(isQuery ? 20 : 19, parameter.uniqueItems),
  )
  return message(isQuery ? 3 : 4, inner)
}

const parameterItem = (value: unknown): Message => {
  const parameter = recordOf(value)
  const inner =
    parameter.in === 'body' ? message(1, bodyParameter(parameter)) : message(2, otherParameter(parameter))
  return message(1, inner)
}

const parameterItems = (field: number, value: unknown): Message =>
  repeated((at, item) => message(at, parameterItem(item)), field, listOf(value))

const response = (value: unknown): Message => {
  const { description, schema } = recordOf(value)
  const body = schema === undefined ? undefined : message(1, schemaMessage(schema))
  return message(1, parts(text(1, description), message(2, body)))
}

const operation = (value: unknown): Message | undefined =>
  isRecord(value)
    ? parts(
        text(3, value.description),
        text(5, value.operationId),
        repeated(text, 6, listOf(value.produces)),
        repeated(text, 7, listOf(value.consumes)),
        parameterItems(8, value.parameters),
        message(9, entries(1, value.responses, response)),
        extensions(13, value),
      )
    : undefined

const pathItem = (value: unknown): Message => {
  const item = recordOf(value)
  return parts(
    message(2, operation(item.get)),
    message(3, operation(item.put)),
    message(4, operation(item.post)),
    message(5, operation(item.delete)),
    message(8, operation(item.patch)),
    parameterItems(9, item.parameters),
  )
}

/**
 * Encodes a Swagger 2.0 document as the protobuf message `openapi.v2.Document`, the only form that kubectl accepts.
 */
export const encodeOpenApiV2 = (document: object): Message => {
  const { swagger, info, paths, definitions } = document as JsonRecord
  const { title, version } = recordOf(info)
  return parts(
    text(1, swagger),
    message(2, parts(text(1, title), text(2, version))),
    message(8, entries(2, paths, pathItem)),
    message(9, entries(1, definitions, schemaMessage)),
  )
}
