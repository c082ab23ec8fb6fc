import type * as z from 'zod'
import { formatPath } from '../../../shared/decode/problems.ts'
import { type ChartContents, type ChartValues, chartValuesSchema, definedValues } from './chart-values.ts'
import { mergeValues } from './merge-values.ts'

/** Values that the chart refuses; the message names the key and the problem. */
export class ValuesError extends Error {
  override readonly name = 'ValuesError'
}

/** Returns the values with their defaults. Throws a `ValuesError` that names each invalid key. */
export const parseValues = (contents: ChartContents, given: unknown): ChartValues =>
  parsedValues(chartValuesSchema(contents), mergeValues(definedValues(contents), given))

export const parsedValues = <T>(schema: z.ZodType<T>, given: unknown): T => {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ValuesError(
    parsed.error.issues
      .map(({ path, message }) => (path.length === 0 ? message : `${formatPath(path)}: ${message}`))
      .join('; '),
  )
}
