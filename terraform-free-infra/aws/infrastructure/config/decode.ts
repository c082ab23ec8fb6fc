import { type Problem, problemsOf } from '../../../../shared/decode/problems.ts'
import { isUnknown, type UnknownKeys, unknownFields } from '../../../../shared/decode/unknown-fields.ts'
import { configSchema, type InfrastructureConfig } from './config.ts'

/** A config, or all problems of its format. Paths are relative to the config. */
export type Decoded =
  | { readonly ok: true; readonly config: InfrastructureConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Parses `spec.providerConfig`.
 *
 * @param options.lenient ignores unknown fields, for the deletion of existing objects
 */
export const decodeConfig = (value: unknown, options: { readonly lenient?: boolean } = {}): Decoded => {
  const { data, error } = configSchema.safeParse(value)
  if (error === undefined) return { ok: true, config: data }
  const unknown = error.issues.filter(isUnknown)
  if (options.lenient && unknown.length > 0) return decodeConfig(without(unknown, value), options)
  const { fields, more } = unknownFields(configSchema, unknown)
  return {
    ok: false,
    problems: [
      ...fields.map(({ path, nearest }) => ({
        path,
        message: `unknown field of an InfrastructureConfig${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`,
      })),
      ...(more > 0 ? [{ path: '', message: `and ${more} more unknown fields` }] : []),
      ...problemsOf(
        error.issues.filter(issue => !isUnknown(issue)),
        value,
      ),
    ],
  }
}

const without = (issues: readonly UnknownKeys[], value: unknown): unknown => {
  const copy: unknown = structuredClone(value)
  for (const { path, keys } of issues) {
    const object = path.reduce<unknown>(
      (inner, segment) =>
        typeof inner === 'object' && inner !== null ? Reflect.get(inner, segment) : undefined,
      copy,
    )
    if (typeof object === 'object' && object !== null)
      for (const key of keys) Reflect.deleteProperty(object, key)
  }
  return copy
}
