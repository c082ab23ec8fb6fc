import * as z from 'zod'
import { journalEntrySchema, journalHeaderSchema } from '../shared/journal/journal.ts'

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
