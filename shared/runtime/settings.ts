import type * as z from 'zod'
import { cutText } from '../text/cut-text.ts'
import { nearestName } from '../text/nearest-name.ts'

/**
 * Metadata of a settings field. Set it with `.meta()` as the *last* call of the chain, because zod retains only the
 * metadata of the outermost schema. `description` is required.
 */
export interface SettingMeta {
  readonly description?: string
  /** A second environment name, read if the derived one is not set: `PORT`, `K_SINK`. */
  readonly env?: string
  /** The field's name in an earlier version. Its error suggests the field: `host`. */
  readonly formerName?: string
  /** True if the setting no longer exists. Its schema is `z.undefined()`; `description` is the reason in the error. */
  readonly removed?: boolean
  /** The value is never printed, not even in errors. */
  readonly secret?: boolean
  /** The value of the flag without an argument: `true` for `--verbose`. */
  readonly bare?: string
}

export interface SettingsInput {
  /** By field name or flag name (`logLevel`, `log-level`, `--log-level`). Undefined values count as absent. */
  readonly flags?: Readonly<Record<string, unknown>>
  /** An empty value counts as absent. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prefix of the environment names. Default: `TRELLIS_`. */
  readonly prefix?: string
  /** Settings of other parts of the process in the same environment. Their names are not reported as unknown. */
  readonly others?: z.ZodObject
}

export interface SettingRow {
  readonly name: string
  /** `--log-level` */
  readonly flag: string
  /** `TRELLIS_LOG_LEVEL`, with the second name after a comma. */
  readonly env: string
  /** The default as text. Undefined: no default. */
  readonly default: string | undefined
  readonly required: boolean
  readonly secret: boolean
  /** The value of the flag without an argument. Undefined: an argument is required. */
  readonly bare: string | undefined
  readonly description: string
}

/** Invalid settings. The message is one line with every invalid setting and its expected value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('; '))
    this.problems = problems
  }
}

const defaultPrefix = 'TRELLIS_'

/**
 * Parses the settings of a process once: flags override the environment, which overrides defaults. Every value is
 * passed to the schema as text (booleans and numbers of a command line parser are converted, arrays are joined with
 * commas), so fields must be `z.string()`, `z.coerce.number()`, `z.stringbool()`, `z.enum([...])` or transforms of a
 * string. Throws one `SettingsError` for unknown flags, unknown environment names with the prefix, and invalid values.
 * Returns a frozen value.
 *
 * @example const schema = z.object({
 * seed: z.string().min(1).meta({ description: 'Name of the seed.' }),
 * concurrency: z.coerce.number().int().min(1).default(32).meta({ description: 'Most events in flight.' }), })
 * parseSettings(schema, { flags: { seed: 'eu-1' }, env: {} }) // { seed: 'eu-1', concurrency: 32 }
 */
export const parseSettings = <S extends z.ZodObject>(
  schema: S,
  input: SettingsInput,
): Readonly<z.output<S>> => {
  const prefix = input.prefix ?? defaultPrefix
  const names = Object.keys(schema.shape)
  const problems: string[] = []
  const values: Record<string, string> = {}
  const origin = new Map<string, string>()
  const knownEnv = new Set<string>()
  const othersNames = Object.keys(input.others?.shape ?? {})
  for (const name of othersNames) knownEnv.add(envName(name, prefix))

  for (const name of names) {
    const meta = metaOf(schema, name)
    for (const env of [envName(name, prefix), ...(meta.env === undefined ? [] : [meta.env])]) {
      knownEnv.add(env)
      const value = input.env[env]
      if (value === undefined || value === '' || name in values) continue
      values[name] = value
      origin.set(name, env)
    }
  }
  for (const [flag, value] of Object.entries(input.flags ?? {})) {
    if (value === undefined) continue
    const name = fieldName(flag)
    if (!names.includes(name)) {
      problems.push(
        `unknown setting ${flagName(name)}${suggestion(flagName(name), names.map(flagName), '--')}`,
      )
      continue
    }
    values[name] = asText(value)
    origin.set(name, flagName(name))
  }
  for (const [env, value] of Object.entries(input.env)) {
    if (!env.startsWith(prefix) || knownEnv.has(env) || value === undefined || isServiceLink(env, value))
      continue
    const all = [...new Set([...names, ...othersNames])].map(name => envName(name, prefix))
    const renamed = names.find(name => envName(metaOf(schema, name).formerName ?? name, prefix) === env)
    const nearest = renamed ? didYouMean(envName(renamed, prefix)) : suggestion(env, all, prefix)
    problems.push(`unknown setting ${env}${nearest}`)
  }

  const parsed = schema.safeParse(values)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = issue.path[0] === undefined ? undefined : String(issue.path[0])
      problems.push(
        name === undefined ? issue.message : problemOf(schema, name, issue, { values, origin, prefix }),
      )
    }
  }
  if (!parsed.success || problems.length > 0) throw new SettingsError([...new Set(problems)])
  return deepFreeze(parsed.data)
}

/** Describes the settings for `--help` and the reference page. Throws on a field without a description. */
export const describeSettings = (
  schema: z.ZodObject,
  prefix: string = defaultPrefix,
): readonly SettingRow[] =>
  Object.entries(schema.shape).flatMap(([name, field]) => {
    const meta = metaOf(schema, name)
    if (meta.removed) return []
    if (meta.description === undefined) throw new Error(`the setting ${name} has no description`)
    const byDefault = (field as z.ZodType).safeParse(undefined)
    const value: unknown = byDefault.success ? byDefault.data : undefined
    return {
      name,
      flag: flagName(name),
      env: [envName(name, prefix), ...(meta.env === undefined ? [] : [meta.env])].join(', '),
      default: value === undefined ? undefined : meta.secret ? redacted : asText(value),
      required: !byDefault.success,
      secret: meta.secret ?? false,
      bare: meta.bare,
      description: meta.description,
    }
  })

/** Returns the settings for logging, with secret values replaced. */
export const printableSettings = (
  schema: z.ZodObject,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value !== undefined && name in schema.shape && metaOf(schema, name).secret ? redacted : value,
    ]),
  )

export { splitList } from '../text/split-list.ts'

/** `logLevel` → `--log-level` */
export const flagName = (name: string): string => `--${words(name).join('-')}`

/** `logLevel` → `TRELLIS_LOG_LEVEL` */
export const envName = (name: string, prefix: string = defaultPrefix): string =>
  prefix + words(name).join('_').toUpperCase()

const redacted = '[redacted]'

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map(word => word.toLowerCase())

const fieldName = (flag: string): string =>
  flag.replace(/^--?/, '').replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const metaOf = (schema: z.ZodObject, name: string): SettingMeta =>
  ((schema.shape[name] as z.ZodType | undefined)?.meta() ?? {}) as SettingMeta

const asText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

interface GivenSettings {
  readonly values: Readonly<Record<string, string>>
  readonly origin: ReadonlyMap<string, string>
  readonly prefix: string
}

const problemOf = (
  schema: z.ZodObject,
  name: string,
  issue: z.core.$ZodIssue,
  given: GivenSettings,
): string => {
  const meta = metaOf(schema, name)
  const value = given.values[name]
  if (value === undefined)
    return `missing setting ${flagName(name)} (${envName(name, given.prefix)})${meta.description === undefined ? '' : `: ${meta.description}`}`
  const where = given.origin.get(name) ?? flagName(name)
  if (meta.removed) return `${where} no longer exists: ${meta.description}. Remove it`
  // Messages of zod and custom refinements may quote the value, so a secret one gets no detail.
  return meta.secret
    ? `${where} is not valid`
    : `${where}=${cutText(JSON.stringify(value), 200)}: ${issue.message}`
}

/**
 * Kubernetes adds `<SERVICE>_SERVICE_HOST`, `<SERVICE>_PORT=tcp://…` and similar variables for each Service of the
 * namespace to every container. A Service named `trellis-…` collides with the prefix.
 */
const isServiceLink = (env: string, value: string): boolean =>
  /_SERVICE_(?:HOST$|PORT$|PORT_\w)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(env) ||
  (env.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))

/** Compares the names without their common start, which would make every short name similar. */
const suggestion = (given: string, names: readonly string[], start: string): string => {
  const near = nearestName(
    given.slice(start.length),
    names.map(name => name.slice(start.length)),
  )
  return near === undefined ? '' : didYouMean(start + near)
}

const didYouMean = (name: string): string => `. Did you mean ${name}?`

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
