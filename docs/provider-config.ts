import type * as z from 'zod'

/** The effect of a field, the effect of a change of it, and its default if the schema does not set it. */
export type FieldText = readonly [effect: string, change: string, usual?: string]

/** A `providerConfig` that users or operators write. */
export interface ProviderConfig {
  readonly kind: string
  readonly apiVersion: string
  /** The field of the object that contains it. */
  readonly place: string
  readonly schema: z.ZodObject
  /** By path: `networks.zones[].name`. The page has every field of the schema, and its test needs a text of each. */
  readonly fields: Readonly<Record<string, FieldText>>
}
