import type { MachineClassContent } from '../../../../shared/worker/worker.ts'

/** Something of a pool that its machines are made of, and that is hashed where it is set. */
export interface Field {
  /** For people: `data volume kubelet-dir: size`. */
  readonly name: string
  /** What is hashed; undefined: it is not set. */
  readonly datum: string | undefined
  /** What a MachineClass as it is was made with; undefined: it does not tell, or has none. */
  readonly observed: (content: MachineClassContent) => string | undefined
}

/** A field that stands in the `providerSpec` as it is hashed. */
export const fieldAt = (
  name: string,
  value: string | number | undefined,
  ...path: readonly (string | number)[]
): Field => ({
  name,
  datum: value === undefined ? undefined : String(value),
  observed: ({ providerSpec }) => textAt(providerSpec, path),
})

/** A text or number within JSON, as text. */
export const textAt = (value: unknown, path: readonly (string | number)[]): string | undefined => {
  const found = valueAt(value, path)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : undefined
}

export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, segment) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, segment)
        ? Reflect.get(inner, segment)
        : undefined,
    value,
  )

export const countAt = (value: unknown, path: readonly (string | number)[]): number => {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found.length : 0
}
