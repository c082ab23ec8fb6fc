import type * as z from 'zod'
import { formatProblems, problemsOf } from './problems.ts'
import { isUnknown, unknownFields } from './unknown-fields.ts'

/**
 * Parses a value with its strict schema. Throws an Error with Go's message for an unknown field plus the nearest known
 * name, and with field and problem otherwise. Duplicate fields never arrive here: the API server refuses them.
 *
 * @example
 * const { zone } = decodeStrictly(z.strictObject({ zone: z.string() }), object.spec.providerConfig)
 */
export const decodeStrictly = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data
  const others = error.issues.filter(issue => !isUnknown(issue))
  if (others.length > 0) throw new Error(formatProblems(problemsOf(others, value)))
  const { fields, more } = unknownFields(schema, error.issues)
  const texts = fields.map(
    ({ path, nearest }) =>
      `unknown field "${path}"${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`,
  )
  if (more > 0) texts.push(`and ${more} more`)
  throw new Error(`strict decoding error: ${texts.join(', ')}`)
}
