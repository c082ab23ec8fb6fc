import type * as z from 'zod'
import { issueTexts } from '../../../shared/decode/unknown-fields.ts'
import { type ChartContents, type ChartValues, chartValuesSchema, definedValues } from './chart-values.ts'
import { withDefaults } from './merge-values.ts'

/** Values that the chart refuses; the message names the key and the problem. */
export class ValuesError extends Error {
  override readonly name = 'ValuesError'
}

/** Returns the values with their defaults. Throws a `ValuesError` that names each invalid key. */
export const parseValues = (contents: ChartContents, given: unknown): ChartValues =>
  parsedValues(chartValuesSchema(contents), withDefaults(definedValues(contents), given))

export const parsedValues = <T>(schema: z.ZodType<T>, given: unknown): T => {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ValuesError(issueTexts(schema, parsed.error.issues).join('; '))
}
