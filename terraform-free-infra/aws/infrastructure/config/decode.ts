import * as z from 'zod'
import { formatPath, type Problem, problemsOf } from '../../../../shared/contract/problems.ts'
import { configSchema, type InfrastructureConfig } from './config.ts'
import { nearestName } from './nearest-name.ts'

/** A config, or everything that is wrong with its form; paths begin at the config. */
export type Decoded =
  | { readonly ok: true; readonly config: InfrastructureConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Reads `spec.providerConfig`.
 *
 * @param options.lenient passes over fields that nobody knows: for what is there already and has to be deleted
 */
export const decodeConfig = (value: unknown, options: { readonly lenient?: boolean } = {}): Decoded => {
  const { data, error } = configSchema.safeParse(value)
  if (error === undefined) return { ok: true, config: data }
  const unknown = error.issues.filter(issue => issue.code === 'unrecognized_keys')
  if (options.lenient && unknown.length > 0) return decodeConfig(without(unknown, value), options)
  return {
    ok: false,
    problems: [
      ...unknown.flatMap(({ path, keys }) =>
        keys.map(key => ({
          path: formatPath([...path, key]),
          message: `expected no such field: an InfrastructureConfig does not have it${meant(path, key)}`,
        })),
      ),
      ...problemsOf(
        error.issues.filter(issue => issue.code !== 'unrecognized_keys'),
        value,
      ),
    ],
  }
}

/** ` (did you mean workers?)`, when a field of the same object is nearly called so. */
const meant = (path: readonly PropertyKey[], key: string): string => {
  const name = nearestName(key, fieldsAt(configSchema, path))
  return name === undefined ? '' : ` (did you mean ${name}?)`
}

/** The fields of the object at a path of a schema; none where there is no object. */
const fieldsAt = (schema: unknown, path: readonly PropertyKey[]): readonly string[] => {
  const inner = unwrapped(schema)
  const [segment, ...rest] = path
  if (inner instanceof z.ZodArray) return fieldsAt(inner.element, rest)
  if (!(inner instanceof z.ZodObject)) return []
  return segment === undefined ? Object.keys(inner.shape) : fieldsAt(inner.shape[String(segment)], rest)
}

/** Without what says that a value need not be there, and what makes another one of it. */
const unwrapped = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrapped(schema.unwrap())
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema
}

type Unknown = Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>

const without = (issues: readonly Unknown[], value: unknown): unknown => {
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
