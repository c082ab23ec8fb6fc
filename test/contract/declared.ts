import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const folder = join(import.meta.dirname, '..', '..', 'shared', 'contract')

/**
 * Returns the texts that the files of `shared/contract` export, by their path: `annotations.operation`, `group`. Lists
 * are one entry each, and so are enumerations in schemas: `DNSRecord.spec.recordType`. References to
 * resources and printer columns are excluded, because CRDs define them.
 */
export const declaredTexts = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const files = (await readdir(folder)).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const declared: [string, readonly string[]][] = []
  for (const file of files.toSorted())
    for (const [name, value] of Object.entries(await import(join(folder, file))))
      declared.push(...textsIn(value, name))
  return new Map(declared)
}

const textsIn = (value: unknown, path: string): [string, readonly string[]][] => {
  if (typeof value === 'string') return [[path, [value]]]
  if (typeof value !== 'object' || value === null) return []
  if (path.endsWith('.resource') || 'jsonPath' in value) return []
  if (Array.isArray(value))
    return value.length > 0 && value.every(one => typeof one === 'string')
      ? [[path, value]]
      : value.flatMap((one, at) => textsIn(one, `${path}.${at}`))
  if ('schema' in value && value.schema instanceof z.ZodType && 'kind' in value)
    return enumerationsIn(z.toJSONSchema(value.schema, { target: 'openapi-3.0' }), String(value.kind))
  if (value instanceof z.ZodType) return []
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, `${path}.${key}`))
}

const enumerationsIn = (schema: unknown, path: string): [string, readonly string[]][] => {
  const { enum: values, properties = {}, items, additionalProperties } = Object(schema)
  const fields = Object.entries(properties).filter(([name]) => !['apiVersion', 'kind'].includes(name))
  return [
    ...(Array.isArray(values) ? [[path, values] as [string, readonly string[]]] : []),
    ...fields.flatMap(([name, inner]) => enumerationsIn(inner, `${path}.${name}`)),
    ...(items === undefined ? [] : enumerationsIn(items, `${path}[]`)),
    ...(typeof additionalProperties === 'object' ? enumerationsIn(additionalProperties, `${path}{}`) : []),
  ]
}
