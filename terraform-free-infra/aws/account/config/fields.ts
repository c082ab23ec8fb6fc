import * as z from 'zod'

/** Group and version of all provider objects in Gardener's fields. */
export const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'

/** An optional field. Go reads null as absent. */
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

/** The type fields of a provider object. */
export const head = <K extends string>(kind: K) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(kind),
})
