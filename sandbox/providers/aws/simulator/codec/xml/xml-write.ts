import { XmlNode, XmlText } from '@aws-sdk/xml-builder'
import type { NormalizedSchema } from '@smithy/core/schema'
import { writeText } from '../text.ts'

const present = (value: unknown): boolean => value !== undefined && value !== null

const memberElement = (member: NormalizedSchema): string =>
  member.getMemberTraits().xmlName ?? member.getMemberName()

/** Returns an element that contains only text. */
export const textElement = (name: string, text: string): XmlNode => {
  const element = new XmlNode(name)
  return text === '' ? element : element.addChildNode(new XmlText(text))
}

const writeEntry = (schema: NormalizedSchema, name: string, key: string, value: unknown): XmlNode => {
  const keyName = schema.getKeySchema().getMergedTraits().xmlName ?? 'key'
  const valueName = schema.getValueSchema().getMergedTraits().xmlName ?? 'value'
  return new XmlNode(name)
    .addChildNode(textElement(keyName, key))
    .addChildNode(writeXml(schema.getValueSchema(), value, valueName))
}

const itemsOf = (schema: NormalizedSchema, value: unknown, flatName?: string): XmlNode[] => {
  if (schema.isMapSchema()) {
    return Object.entries(value as Record<string, unknown>)
      .filter(([, item]) => present(item))
      .map(([key, item]) => writeEntry(schema, flatName ?? 'entry', key, item))
  }
  const item = schema.getValueSchema()
  const itemName = flatName ?? item.getMergedTraits().xmlName ?? 'member'
  return (value as unknown[]).filter(present).map(entry => writeXml(item, entry, itemName))
}

const addNamespace = (schema: NormalizedSchema, element: XmlNode): XmlNode => {
  const namespace = schema.getMergedTraits().xmlNamespace
  if (!namespace) return element
  const [first, second] = namespace
  // In the schemas the trait is [prefix, uri]. An empty prefix means the default namespace.
  return element.addAttribute(first ? `xmlns:${first}` : 'xmlns', second)
}

/** Adds the given members of a structure to its element. Absent members are skipped. */
export const writeXmlMembers = (
  members: Iterable<readonly [string, NormalizedSchema]>,
  value: Readonly<Record<string, unknown>>,
  element: XmlNode,
): XmlNode => {
  for (const [name, member] of members) {
    const item = value[name]
    if (!present(item)) continue
    const wireName = memberElement(member)
    const traits = member.getMergedTraits()
    if (traits.xmlAttribute) element.addAttribute(wireName, writeText(member, item, 'date-time'))
    else if (traits.xmlFlattened) {
      for (const node of itemsOf(member, item, wireName)) element.addChildNode(node)
    } else element.addChildNode(writeXml(member, item, wireName))
  }
  return element
}

/** Returns an element of the given name that contains the value. */
export const writeXml = (schema: NormalizedSchema, value: unknown, name: string): XmlNode => {
  const element = addNamespace(schema, new XmlNode(name))
  if (schema.isStructSchema()) {
    return writeXmlMembers(schema.structIterator(), value as Record<string, unknown>, element)
  }
  if (schema.isListSchema() || schema.isMapSchema()) {
    for (const node of itemsOf(schema, value)) element.addChildNode(node)
    return element
  }
  const text = writeText(schema, value, 'date-time')
  return text === '' ? element : element.addChildNode(new XmlText(text))
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
