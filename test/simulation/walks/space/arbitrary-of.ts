import fc from 'fast-check'
import type * as z from 'zod'
import { toJSONSchema } from 'zod'

/** A node of a JSON schema: of a CRD, or of a decoder's zod schema. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

/**
 * Values that a schema cannot express, by path: `networks.zones[].workers`. A value overrides the schema's own;
 * `absent` leaves a field out.
 */
export type Overlay = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** The value of a field that an object does not have. */
export const absent = fc.constant(undefined)

/**
 * Returns arbitrary values of a schema. Booleans, enumerations, constants, bounded integers, lists and the presence of
 * optional fields follow from the schema. Throws if another field has no value in the overlay, or if the overlay names
 * a field that the schema does not have.
 *
 * @example arbitraryOf(schemaOf(configSchema), { 'networks.vpc.cidr': fc.constant('10.250.0.0/16') })
 */
export const arbitraryOf = (schema: JsonSchema, overlay: Overlay): fc.Arbitrary<unknown> => {
  const used = new Set<string>()
  const made = valueAt(schema, { overlay, used, path: '' })
  const unknown = Object.keys(overlay).filter(path => !used.has(path))
  if (unknown.length > 0) throw new TypeError(`the schema has no ${unknown.join(', ')}`)
  return made
}

/** Returns the JSON schema of a decoder's input. */
export const schemaOf = (schema: z.ZodType): JsonSchema =>
  toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

interface Place {
  readonly overlay: Overlay
  readonly used: Set<string>
  readonly path: string
}

const valueAt = (schema: JsonSchema, place: Place): fc.Arbitrary<unknown> => {
  const { overlay, used, path } = place
  const given = overlay[path]
  if (given !== undefined) {
    used.add(path)
    return given
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  // Go reads null as absent, which an absent field already covers.
  const variants = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (variants !== undefined) return fc.oneof(...variants.map(variant => valueAt(variant, place)))
  const [type] = [schema.type ?? []].flat().filter(name => name !== 'null')
  switch (type) {
    case 'boolean':
      return fc.boolean()
    case 'object':
      return objectOf(schema, place)
    case 'array':
      return fc.array(valueAt(schema.items ?? {}, { ...place, path: `${path}[]` }), { maxLength: 2 })
    default:
      throw new TypeError(`${path}: the schema says only ${type ?? 'any value'}; add it to the overlay`)
  }
}

const objectOf = ({ properties = {}, required = [] }: JsonSchema, place: Place): fc.Arbitrary<unknown> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(properties).map(([name, property]) => {
          const path = place.path === '' ? name : `${place.path}.${name}`
          const value = valueAt(property, { ...place, path })
          const isGiven = place.overlay[path] !== undefined
          // The overlay decides about the presence of its fields.
          return [name, required.includes(name) || isGiven ? value : fc.option(value, { nil: undefined })]
        }),
      ),
    )
    .map(withoutAbsent)

const withoutAbsent = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
