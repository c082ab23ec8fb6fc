import { globSync } from 'node:fs'
import * as z from 'zod'
import type { ProviderConfig } from './provider-config.ts'

/** Returns the configs of each provider: those of `docs/provider-configs/<provider>.ts`. */
export const findProviderConfigs = async (): Promise<readonly ProviderConfig[]> => {
  const root = new URL('../', import.meta.url)
  const files = globSync('docs/provider-configs/*.ts', { cwd: root }).toSorted()
  const modules: readonly { readonly providerConfigs: readonly ProviderConfig[] }[] = await Promise.all(
    files.map(file => import(new URL(file, root).href)),
  )
  return modules.flatMap(({ providerConfigs }) => providerConfigs)
}

/** A field of a schema. */
export interface ConfigField {
  /** `networks.zones[].name` */
  readonly path: string
  readonly type: string
  readonly usual: string
}

const unwrapped = (schema: unknown): unknown => {
  if (!(schema instanceof z.ZodType)) return schema
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in)
  return 'innerType' in schema.def ? unwrapped(schema.def.innerType) : schema
}

const typeOf = (schema: unknown): string => {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodEnum)
    return inner.options.map(value => `\`${value === '' ? '""' : value}\``).join(', ')
  if (inner instanceof z.ZodLiteral) return [...inner.values].map(value => `\`${String(value)}\``).join(', ')
  if (inner instanceof z.ZodUnion) return [...new Set(inner.options.map(typeOf))].join(' or ')
  if (inner instanceof z.ZodArray) return `list of ${typeOf(inner.element)}`
  if (inner instanceof z.ZodRecord) return `map of ${typeOf(inner.valueType)}`
  if (inner instanceof z.ZodBoolean) return 'boolean'
  if (inner instanceof z.ZodNumber) return 'integer'
  return inner instanceof z.ZodString ? 'text' : 'object'
}

/** Returns the default that the schema sets, `required`, or nothing. */
const usualOf = (schema: z.ZodType): string => {
  const { success, data } = schema.safeParse(undefined)
  if (!success) return 'required'
  return typeof data === 'boolean' || typeof data === 'number' ? `\`${data}\`` : ''
}

/** Returns the fields of a schema, without the group, version and kind of the config. */
export const fieldsOf = (schema: z.ZodObject, before = ''): readonly ConfigField[] =>
  Object.entries(schema.shape).flatMap(([name, field]) => {
    const path = `${before}${name}`
    if (path === 'apiVersion' || path === 'kind') return []
    const inner = unwrapped(field)
    if (inner instanceof z.ZodObject) return fieldsOf(inner, `${path}.`)
    const element = inner instanceof z.ZodArray ? unwrapped(inner.element) : undefined
    if (element instanceof z.ZodObject) return fieldsOf(element, `${path}[].`)
    return [{ path, type: typeOf(field), usual: usualOf(field as z.ZodType) }]
  })

const partOf = ({ kind, apiVersion, place, schema, fields }: ProviderConfig): string => {
  const all = fieldsOf(schema)
  const most = mostFrequent(all.map(({ path }) => fields[path]?.[1] ?? ''))
  const rows = all.map(({ path, type, usual }) => {
    const [effect = '', change = '', own] = fields[path] ?? []
    const last = most === undefined ? ` ${change} |` : ''
    const exception = most === undefined || change === most ? '' : ` A change ${continued(change)}`
    return `| \`${path}\` | ${type} | ${own ?? usual} | ${effect}${exception} |${last}`
  })
  const versions = apiVersion
    .split(' or ')
    .map(one => `\`${one}\``)
    .join(' or ')
  const usually = most === undefined ? '' : ` A change, unless noted, ${continued(most)}`
  return [
    `## ${kind}`,
    `In ${place}. apiVersion: ${versions}.${usually}`,
    [...(most === undefined ? headOfFive : headOfFour), ...rows].join('\n'),
  ].join('\n\n')
}

/** A text that continues a sentence. */
const continued = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`

const headOfFour = ['| field | type | default | effect |', '|---|---|---|---|']
const headOfFive = ['| field | type | default | effect | a change |', '|---|---|---|---|---|']

/** Returns the text that most of at least three texts have. */
const mostFrequent = (texts: readonly string[]): string | undefined =>
  [...Map.groupBy(texts, text => text)].find(
    ([, same]) => same.length > 2 && same.length > texts.length / 2,
  )?.[0]

/** The reference of all provider configs, generated from their schemas and the texts of their fields. */
export const providerConfigsPage = (configs: readonly ProviderConfig[]): string => `# Provider configs

For operators and users of shoots: each \`providerConfig\`, and what a change replaces. \`make docs\` generates it from the schemas.

A wrong or, in most configs, unknown field ends the step with \`ERR_CONFIGURATION_PROBLEM\`, which names it. *Replaces the nodes* means a rolling update of the pool ([workers](workers.md)). Before Kubernetes 1.34, every change of a WorkerConfig but \`virtualCapacity\` does so. For pools that are updated in place, every change of it is refused.

${configs.map(partOf).join('\n\n')}
`
