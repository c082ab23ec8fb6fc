import { valueAt } from '../../../../../shared/decode/record-of.ts'
import type { HashInput, MachineClassContent } from '../../../../../shared/worker/worker.ts'

/** A hashed property of a pool's machines. It is hashed if it is set; `observed` reads it from a class. */
export interface Field extends Required<Pick<HashInput, 'name' | 'datum' | 'observed'>> {
  /** The path in a WorkerConfig. Undefined if it has none, or none of its own. */
  readonly at: Path | undefined
}

export type Path = readonly (string | number)[]

export interface FieldOptions {
  readonly at?: Path | undefined
  /** The value of a class if the field is not set. It does not count as a change. */
  readonly unset?: string
}

/** Returns a field that has the same form in the `providerSpec` as in the hash. */
export const fieldAt = (
  name: string,
  value: string | number | boolean | undefined,
  path: Path,
  options: FieldOptions = {},
): Field => field(name, value, ({ providerSpec }) => textAt(providerSpec, path), options)

/** Returns a field with its own function to read it from a class. */
export const field = (
  name: string,
  value: string | number | boolean | undefined,
  read: (content: MachineClassContent) => string | undefined,
  { unset, at }: FieldOptions = {},
): Field => ({
  name,
  at,
  datum: value === undefined ? undefined : String(value),
  observed: content => {
    const found = read(content)
    return value === undefined && found === unset ? undefined : found
  },
})

/** Returns a text, number or boolean within JSON as text. */
export const textAt = (value: unknown, path: Path): string | undefined => {
  const found = valueAt(value, ...path)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : undefined
}

/** Returns the length of a list within JSON, or 0 if there is no list. */
export const countAt = (value: unknown, path: Path): number => {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found.length : 0
}
