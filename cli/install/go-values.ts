import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { mergeValues } from '../../knative/chart/chart.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { isRecord } from '../../shared/decode/record-of.ts'
import type { GoValueRule, GoValues } from '../../shared/text/go-values.ts'
import type { GivenValues } from './given-values.ts'

/** `.ts` as source, `.js` in a package. */
const extension = basename(import.meta.filename).replace('go-values', '')

/** Reads the rules for the values of a provider's Go extension. Throws a `UsageError` for one without rules. */
export const readGoValues = async ([provider, ...others]: readonly string[]): Promise<GoValues> => {
  const folders = new URL('../../functions/', import.meta.url)
  const known = readdirSync(folders).filter(name =>
    existsSync(new URL(`${name}/go-values${extension}`, folders)),
  )
  if (provider === undefined || others.length > 0 || !known.includes(provider))
    throw new UsageError(
      `--from-values needs one --provider whose Go extension is known: ${known.join(' or ')}`,
    )
  const file = new URL(`${provider}/go-values${extension}`, folders)
  const { goValues } = (await import(file.href)) as { readonly goValues: GoValues }
  return goValues
}

export interface MappedValues {
  readonly values: GivenValues
  /** Each value with a counterpart: its path there, and ours. */
  readonly moved: readonly (readonly [from: string, to: string])[]
  /** The paths of the others, by reason. */
  readonly left: ReadonlyMap<string, readonly string[]>
}

type Leaf = readonly [path: readonly string[], value: unknown]

/**
 * Turns the values of a Go extension's chart into those of Trellis. Empty values are left out.
 *
 * @param functions the names of the provider's functions, with which disabled controllers are compared
 */
export const mapGoValues = (
  given: GivenValues,
  { chart, rules }: GoValues,
  functions: readonly string[],
): MappedValues => {
  const { disableControllers, ...others } = given
  const [disabled, unknown] = controllersIn(disableControllers, functions)
  const decided = leavesOf(others).map(([path, value]) => ({ path, value, rule: ruleOf(rules, path) }))
  const isGiven = (path: string) => decided.some(one => one.path.join('.') === path)
  const usual = Object.entries(rules).flatMap(([path, rule]) =>
    'to' in rule && rule.usual !== undefined && !isGiven(path)
      ? [{ from: `${path} (default)`, to: rule.to, value: rule.usual }]
      : [],
  )
  const moved = [
    ...disabled.map(({ controller, name }) => ({
      from: `disableControllers: ${controller}`,
      to: `functions.${name}.enabled`,
      value: false,
    })),
    ...decided.flatMap(({ path, value, rule }) =>
      rule !== undefined && 'to' in rule ? [{ from: path.join('.'), to: rule.to, value }] : [],
    ),
    ...usual,
  ]
  const left = [
    ...unknown.map(name => ({
      path: `disableControllers: ${name}`,
      why: 'not needed: no function has its task',
    })),
    ...decided.flatMap(({ path, rule = { why: `unknown in ${chart}. Check its spelling` } }) =>
      'why' in rule ? [{ path: path.join('.'), why: rule.why }] : [],
    ),
  ]
  return {
    values: mergeValues({}, ...moved.map(({ to, value }) => nested(to.split('.'), value))) as GivenValues,
    moved: moved.map(({ from, to }) => [from, to]),
    left: new Map(
      [...Map.groupBy(left, ({ why }) => why)].map(([why, all]) => [why, all.map(({ path }) => path)]),
    ),
  }
}

/** Reports each value of a file, for the operator. */
export const goValuesReport = (file: string, { moved, left }: MappedValues): string =>
  [
    `${file}: these values of the Go extension have a counterpart:`,
    ...moved.map(([from, to]) => `  ${from} → ${to}`),
    ...(left.size === 0 ? [] : ['These have none:']),
    ...[...left].map(([why, paths]) => `  ${paths.join(', ')}: ${why}`),
    '',
  ].join('\n')

/** Returns the functions of disabled controllers, and the controllers without a function. */
const controllersIn = (names: unknown, functions: readonly string[]) => {
  const all = Array.isArray(names) ? names.map(String) : []
  const functionOf = (controller: string) => functions.find(name => name.endsWith(`-${controller}`))
  return [
    all.flatMap(controller => {
      const name = functionOf(controller)
      return name === undefined ? [] : [{ controller, name }]
    }),
    all.filter(name => functionOf(name) === undefined),
  ] as const
}

const leavesOf = (value: unknown, path: readonly string[] = []): readonly Leaf[] => {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? [] : [[path, value]]
}

const ruleOf = (rules: GoValues['rules'], path: readonly string[]): GoValueRule | undefined =>
  Object.entries(rules).find(([rule]) =>
    rule
      .split('.')
      .every((part, index) =>
        part.endsWith('*') ? path[index]?.startsWith(part.slice(0, -1)) : part === path[index],
      ),
  )?.[1]

/** Environment variables are texts. */
const nested = ([key = '', ...rest]: readonly string[], value: unknown): GivenValues =>
  rest.length === 0 ? { [key]: value } : { [key]: nested(rest, key === 'env' ? String(value) : value) }
