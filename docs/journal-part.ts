import * as z from 'zod'
import { callSchema, journalEntrySchema, journalHeaderSchema } from '../shared/journal/journal.ts'

interface JsonSchema {
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** The JSON schema of a line of a journal: a header or an entry. */
export const journalSchema = (): string => {
  const schema = z.toJSONSchema(z.union([journalHeaderSchema, journalEntrySchema]), { io: 'input' })
  const described = {
    ...schema,
    title: 'A line of a journal of Trellis',
    description: 'The first line is the header. Readers ignore unknown fields and entries of unknown types.',
  }
  return `${JSON.stringify(described, null, 2)}\n`
}

/** The tables of all entries, generated from their schemas. */
export const journalPart = (): string =>
  [
    tableOf('The header', journalHeaderSchema),
    ...journalEntrySchema.options.map(option => tableOf(`\`${typeOf(option)}\``, option)),
    tableOf('A call', callSchema),
  ].join('\n\n')

const typeOf = (option: z.ZodType): string => String(jsonOf(option).properties?.type?.const)

/** A schema with an id is a reference to its definition. */
const jsonOf = (schema: z.ZodType): JsonSchema => {
  const json = z.toJSONSchema(schema, { io: 'input' })
  const definition = json.$ref?.replace('#/$defs/', '')
  return ((definition && json.$defs?.[definition]) || json) as JsonSchema
}

const tableOf = (title: string, schema: z.ZodType): string => {
  const { description = '', properties = {}, required = [] } = jsonOf(schema)
  const rows = Object.entries(properties)
    .filter(([name]) => name !== 'type')
    .map(
      ([name, field]) => `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${aboutOf(field)} |`,
    )
  return [`### ${title}`, description, ['| field | what it is |', '|---|---|', ...rows].join('\n')].join(
    '\n\n',
  )
}

const aboutOf = ({ description, enum: values }: JsonSchema): string =>
  (description ?? (values ?? []).map(value => `\`${value}\``).join(', ')).replaceAll('|', '\\|')
