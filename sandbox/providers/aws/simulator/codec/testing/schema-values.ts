import type { NormalizedSchema } from '@smithy/core/schema'
import fc from 'fast-check'
import type { Protocol } from '../model.ts'
import { requiredMembers } from '../rest/route.ts'

/** Characters that protocols must escape, mixed with some that need no escaping. */
const tricky = fc.constantFrom(...('abcZ019 -_.~*&<>"\'+%=;,/\\:#?@äß€漢😀()[]{}|\n\t'.match(/./gsu) ?? []))
const printable = fc.constantFrom(...'abcZ019-_.~*&<>+%=;:#?@()[]{}|')

/** The SDK's XML parser drops a text that consists only of white space with a line break. */
const bodyText = fc
  .string({ unit: tricky, maxLength: 12 })
  .filter(text => text.trim() !== '' || !text.includes('\n'))
const headerText = fc.string({ unit: printable, minLength: 1, maxLength: 12 })
const labelText = headerText.filter(text => !/^\.+$/.test(text))

const seconds = fc.integer({ min: 1, max: 4_000_000_000 })
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0),
)

type Place = 'body' | 'header' | 'label' | 'query'

const placeOf = (member: NormalizedSchema, side: 'request' | 'response'): Place => {
  const traits = member.getMergedTraits()
  if (traits.httpHeader !== undefined || traits.httpPrefixHeaders !== undefined) return 'header'
  // An XML attribute loses its line breaks. An empty payload is the same as no payload.
  if (traits.xmlAttribute || (traits.httpPayload && member.isStringSchema())) return 'header'
  if (traits.httpLabel && side === 'request') return 'label'
  if ((traits.httpQuery !== undefined || traits.httpQueryParams) && side === 'request') return 'query'
  return 'body'
}

const textIn = (place: Place): fc.Arbitrary<string> => {
  if (place === 'header') return headerText
  return place === 'label' ? labelText : bodyText
}

const simple = (schema: NormalizedSchema, place: Place): fc.Arbitrary<unknown> => {
  if (schema.isBooleanSchema()) return fc.boolean()
  if (schema.isNumericSchema()) return number
  if (schema.isTimestampSchema()) return seconds.map(value => new Date(value * 1000))
  if (schema.isBlobSchema()) return fc.uint8Array({ minLength: 1, maxLength: 9 })
  if (schema.isBigIntegerSchema()) return fc.bigInt({ min: 0n, max: 1000n })
  return textIn(place)
}

/** The side of the wire that the values are generated for. */
export interface Wanted {
  readonly side: 'request' | 'response'
  readonly protocol: Protocol
}

/** Generates values that match the schema: all required members, and the others at random. */
export const valuesOf = (
  schema: NormalizedSchema,
  wanted: Wanted,
  depth = 0,
  place: Place = 'body',
): fc.Arbitrary<unknown> => {
  if (schema.isUnionSchema()) {
    const members = [...schema.structIterator()]
    return fc.oneof(
      ...members.map(([name, member]) =>
        valuesOf(member, wanted, depth + 1).map(value => ({ [name]: value })),
      ),
    )
  }
  if (schema.isStructSchema()) return structures(schema, wanted, depth)
  if (schema.isListSchema()) {
    const maxLength = depth > 3 ? 1 : 2
    return fc.array(valuesOf(schema.getValueSchema(), wanted, depth + 1, place), { minLength: 1, maxLength })
  }
  if (schema.isMapSchema()) {
    const key =
      place === 'header' ? fc.stringMatching(/^[a-z0-9-]{1,6}$/) : fc.stringMatching(/^[a-zA-Z0-9&<]{1,6}$/)
    return fc.dictionary(key, valuesOf(schema.getValueSchema(), wanted, depth + 1, place), {
      minKeys: 1,
      maxKeys: 2,
    })
  }
  return simple(schema, place)
}

/** Some schemas nest without end (EC2), so deep structures get only their required members. */
const structures = (schema: NormalizedSchema, wanted: Wanted, depth: number): fc.Arbitrary<object> => {
  const required = new Set(requiredMembers(schema).map(([name]) => name))
  const members: Record<string, fc.Arbitrary<unknown>> = {}
  let needed = [...required]
  for (const [name, member] of schema.structIterator()) {
    const { httpResponseCode } = member.getMergedTraits()
    const place = placeOf(member, wanted.side)
    const fixed = place === 'label' || member.isIdempotencyToken() || member.getMergedTraits().httpPayload
    if (fixed) needed = [...needed, name]
    const container = member.isStructSchema() || member.isListSchema() || member.isMapSchema()
    if (depth > 3 && container && !fixed && !required.has(name)) continue
    members[name] =
      httpResponseCode && wanted.side === 'response'
        ? fc.integer({ min: 200, max: 299 })
        : valuesOf(member, wanted, depth + 1, place)
  }
  return fc.record(members, { requiredKeys: needed.filter(name => name in members) })
}
