import type { NormalizedSchema } from '@smithy/core/schema'
import { MalformedRequest } from '../malformed.ts'
import { readText } from '../text.ts'

/** The two form dialects. EC2's has different names and only flat lists. */
export type QueryDialect = 'awsQuery' | 'ec2Query'

/** A form's parameters as the tree of their dotted names. */
interface Parameter {
  value?: string
  readonly children: Map<string, Parameter>
}

/** Deeper than any AWS operation nests. A longer name is an attack on the stack. */
const deepest = 64

/**
 * The parameters of a form body (`Action=…&Version=…&Filter.1.Name=…`), in order.
 *
 * @throws MalformedRequest of kind `body`
 */
export const parseForm = (body: Uint8Array): URLSearchParams => {
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new MalformedRequest('body', '', 'The request body is not UTF-8.', { cause })
  }
}

const treeOf = (form: URLSearchParams): Parameter => {
  const root: Parameter = { children: new Map() }
  for (const [name, value] of form) {
    const steps = name.split('.')
    if (steps.length > deepest) throw new MalformedRequest('value', name.slice(0, 64), 'nests too deeply')
    let place = root
    for (const step of steps) {
      let next = place.children.get(step)
      if (!next) {
        next = { children: new Map() }
        place.children.set(step, next)
      }
      place = next
    }
    place.value = value
  }
  return root
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The name of a member in a form. */
export const memberKey = (member: NormalizedSchema, dialect: QueryDialect): string => {
  const traits = member.getMergedTraits()
  const name = traits.xmlName ?? member.getMemberName()
  if (dialect === 'awsQuery') return name
  return typeof traits.ec2QueryName === 'string' ? traits.ec2QueryName : capitalised(name)
}

/** Returns the numbered children, sorted by number. */
const numbered = (parameter: Parameter): Parameter[] =>
  [...parameter.children]
    .filter(([step]) => /^\d{1,9}$/.test(step))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, child]) => child)

const readList = (schema: NormalizedSchema, parameter: Parameter, dialect: QueryDialect): unknown[] => {
  const item = schema.getValueSchema()
  const flat = dialect === 'ec2Query' || Boolean(schema.getMergedTraits().xmlFlattened)
  const place = flat ? parameter : parameter.children.get(item.getMergedTraits().xmlName ?? 'member')
  return place ? numbered(place).map(child => read(item, child, dialect)) : []
}

const readMap = (
  schema: NormalizedSchema,
  parameter: Parameter,
  dialect: QueryDialect,
): Record<string, unknown> => {
  const keyName = schema.getKeySchema().getMergedTraits().xmlName ?? 'key'
  const valueName = schema.getValueSchema().getMergedTraits().xmlName ?? 'value'
  const place = schema.getMergedTraits().xmlFlattened ? parameter : parameter.children.get('entry')
  const output: Record<string, unknown> = {}
  for (const entry of place ? numbered(place) : []) {
    const key = entry.children.get(keyName)?.value
    const value = entry.children.get(valueName)
    if (key !== undefined && value) output[key] = read(schema.getValueSchema(), value, dialect)
  }
  return output
}

const readStruct = (
  schema: NormalizedSchema,
  parameter: Parameter,
  dialect: QueryDialect,
): Record<string, unknown> => {
  const output: Record<string, unknown> = {}
  for (const [name, member] of schema.structIterator()) {
    const child = parameter.children.get(memberKey(member, dialect))
    if (!child) continue
    const value = read(member, child, dialect)
    if (value !== undefined) output[name] = value
  }
  return output
}

/**
 * A part of a long text holds all of it in memory (V8's sliced strings, from 13 characters on). A stored tag must not
 * hold its request.
 */
const ownCopy = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString())

const read = (schema: NormalizedSchema, parameter: Parameter, dialect: QueryDialect): unknown => {
  if (schema.isListSchema()) return readList(schema, parameter, dialect)
  if (schema.isMapSchema()) return readMap(schema, parameter, dialect)
  if (schema.isStructSchema()) return readStruct(schema, parameter, dialect)
  return parameter.value === undefined ? undefined : readText(schema, ownCopy(parameter.value), 'date-time')
}

/**
 * Reads an operation's input from its form. An empty list is `List=` in awsQuery and absent in ec2Query.
 *
 * @throws MalformedRequest of kind `value`
 */
export const readQuery = (
  schema: NormalizedSchema,
  form: URLSearchParams,
  dialect: QueryDialect,
): Record<string, unknown> => (schema.isStructSchema() ? readStruct(schema, treeOf(form), dialect) : {})
