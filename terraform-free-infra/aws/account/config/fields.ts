import * as z from 'zod'

/** Group and version of every object of the provider that stands in a field of Gardener's. */
export const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'

/** A field that need not be there; Go reads null as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** A list, empty when it is not there. */
export const list = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform(items => items ?? [])

/** A text, empty when it is not there, as Go has it. */
export const text = z
  .string()
  .nullish()
  .transform(value => value ?? '')

/** What an object of the provider begins with. */
export const head = <K extends string>(kind: K) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(kind),
})
