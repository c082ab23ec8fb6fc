import type { HashInput, MachineClassContent } from '../../../../../shared/worker/worker.ts'

/** Something of a pool that its machines are made of, hashed where it is set; `observed` tells it of a class. */
export interface Field extends Required<Pick<HashInput, 'name' | 'datum' | 'observed'>> {
  /** Where it stands in a WorkerConfig; undefined: not in one, or not by itself. */
  readonly at: Path | undefined
}

export type Path = readonly (string | number)[]

export interface FieldOptions {
  readonly at?: Path | undefined
  /** What a class has where the field is not set, which is no change then. */
  readonly unset?: string
}

/** A field that stands in the `providerSpec` as it is hashed. */
export const fieldAt = (
  name: string,
  value: string | number | boolean | undefined,
  path: Path,
  options: FieldOptions = {},
): Field => field(name, value, ({ providerSpec }) => textAt(providerSpec, path), options)

/** A field that is read off a class in a way of its own. */
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

/** A text, number or boolean within JSON, as text. */
export const textAt = (value: unknown, path: Path): string | undefined => {
  const found = valueAt(value, path)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : undefined
}

/** How many elements a list within JSON has; 0 where there is none. */
export const countAt = (value: unknown, path: Path): number => {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found.length : 0
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, segment) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, segment)
        ? Reflect.get(inner, segment)
        : undefined,
    value,
  )
