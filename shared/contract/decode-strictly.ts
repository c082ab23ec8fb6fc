import type * as z from 'zod'
import { formatProblems, problemsOf } from './problems.ts'
import { isUnknown, unknownFields } from './unknown-fields.ts'

/**
 * A value as its strict schema has it. Throws an Error whose message is what Go says of an unknown field,
 * with the one that may be meant, and for the rest what is wrong with which field. A field that is there twice never
 * gets here: the API server refuses it.
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
