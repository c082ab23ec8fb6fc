import * as z from 'zod'

/** An optional field of a provider's config. Go reads null as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** A list, empty if it is absent. */
export const list = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform(items => items ?? [])

/** A text, empty if it is absent, as in Go. */
export const text = z
  .string()
  .nullish()
  .transform(value => value ?? '')

/** The type fields of a provider's object. */
export const typeFields = <V extends string, K extends string>(apiVersion: V, kind: K) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(kind),
})
