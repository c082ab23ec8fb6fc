import { parseXml as parse, XmlElement } from '@rgrove/parse-xml'
import type { NormalizedSchema } from '@smithy/core/schema'
import { messageOf } from '../../../../../../shared/text/message-of.ts'
import { MalformedRequest } from '../malformed.ts'
import { readText } from '../text.ts'

/**
 * Parses an XML body and returns its root element.
 *
 * @throws MalformedRequest of kind `body`
 */
export const parseXml = (body: Uint8Array): XmlElement => {
  try {
    const root = parse(new TextDecoder('utf-8', { fatal: true }).decode(body)).root
    if (root) return root
  } catch (cause) {
    const reason = messageOf(cause).split('\n')[0]
    throw new MalformedRequest('body', '', reason ?? 'no XML', { cause })
  }
  throw new MalformedRequest('body', '', 'Premature end of file.')
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const elementsOf = (element: XmlElement): XmlElement[] =>
  element.children.filter((child): child is XmlElement => child instanceof XmlElement)

const named = (element: XmlElement, name: string): XmlElement[] =>
  elementsOf(element).filter(child => localName(child.name) === name)

/** The element name of a member. It is set by the member's own trait, never by that of the shape it points to. */
const memberElement = (member: NormalizedSchema): string =>
  member.getMemberTraits().xmlName ?? member.getMemberName()

const readList = (schema: NormalizedSchema, items: readonly XmlElement[]): unknown[] =>
  items.map(item => readXml(schema.getValueSchema(), item))

const readMap = (schema: NormalizedSchema, entries: readonly XmlElement[]): Record<string, unknown> => {
  const keyName = schema.getKeySchema().getMergedTraits().xmlName ?? 'key'
  const valueName = schema.getValueSchema().getMergedTraits().xmlName ?? 'value'
  return Object.fromEntries(
    entries.flatMap(entry => {
      const [key] = named(entry, keyName)
      const [value] = named(entry, valueName)
      return key && value ? [[key.text, readXml(schema.getValueSchema(), value)]] : []
    }),
  )
}

/** Reads the members of a structure from the children and attributes of its element. */
export const readXmlMembers = (
  members: Iterable<readonly [string, NormalizedSchema]>,
  element: XmlElement,
): Record<string, unknown> => {
  const output: Record<string, unknown> = {}
  for (const [name, member] of members) {
    const wireName = memberElement(member)
    const traits = member.getMergedTraits()
    if (traits.xmlAttribute) {
      const text = element.attributes[wireName]
      if (text !== undefined) output[name] = readText(member, text, 'date-time')
      continue
    }
    const found = named(element, wireName)
    const [first] = found
    if (!first) continue
    if (!traits.xmlFlattened) output[name] = readXml(member, first)
    else output[name] = member.isMapSchema() ? readMap(member, found) : readList(member, found)
  }
  return output
}

/** Reads the value of an element according to its schema. Elements that the schema does not define are ignored. */
export const readXml = (schema: NormalizedSchema, element: XmlElement): unknown => {
  if (schema.isStructSchema()) return readXmlMembers(schema.structIterator(), element)
  if (schema.isListSchema()) {
    const itemName = schema.getValueSchema().getMergedTraits().xmlName ?? 'member'
    return readList(schema, named(element, itemName))
  }
  if (schema.isMapSchema()) return readMap(schema, named(element, 'entry'))
  return readText(schema, element.text, 'date-time')
}
