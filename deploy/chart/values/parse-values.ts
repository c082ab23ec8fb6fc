import type * as z from 'zod'
import { formatPath } from '../../../shared/contract/problems.ts'
import { type ChartContents, type ChartValues, chartValuesSchema } from './chart-values.ts'

/** Values that the chart does not take: what is wrong, with the key. */
export class ValuesError extends Error {
  override readonly name = 'ValuesError'
}

/** Values with what they have by themselves. Throws a `ValuesError` that names each key that is wrong. */
export const parseValues = (contents: ChartContents, given: unknown): ChartValues =>
  parsedValues(chartValuesSchema(contents), given)

/** The same by any schema. */
export const parsedValues = <T>(schema: z.ZodType<T>, given: unknown): T => {
  const parsed = schema.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  throw new ValuesError(
    parsed.error.issues
      .map(({ path, message }) => (path.length === 0 ? message : `${formatPath(path)}: ${message}`))
      .join('; '),
  )
}
