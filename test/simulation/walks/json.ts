/** Plain JSON data. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json }

export const isRecord = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
