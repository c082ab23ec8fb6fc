import type { Filter } from '@aws-sdk/client-ec2'
import { refuse } from '../../../service.ts'
import { matchesWildcards, wildcardOf } from '../../../wildcards.ts'
import type { Ec2Tag } from '../../rows/resource.ts'
import { invalidValue } from '../refusals.ts'

/** Returns a row's values for a filter. Undefined if the row has no value. */
export type FilterField<Row> = (row: Row) => string | boolean | number | undefined | readonly string[]

/** The filters of a list. Filters by tag always work. */
export type FilterFields<Row> = Readonly<Record<string, FilterField<Row>>>

/** "Filter limits", EC2 API reference. */
const mostValues = 200

/** `*` matches any characters, `?` matches one. A backslash escapes them. */
export const matches = (pattern: string, value: string): boolean => {
  if (!/[*?\\]/.test(pattern)) return pattern === value
  const units = [...pattern.matchAll(/\\([*?\\])|./gs)].map(([unit, escaped]) => escaped ?? wildcardOf(unit))
  return matchesWildcards(units, value)
}

/** Returns true if a filter value has no wildcards or escapes. */
export const isPlain = (pattern: string): boolean => !/[*?\\]/.test(pattern)

/** A filter of a request: its name and its values. One value must match. */
export interface FilterCondition {
  readonly name: string
  readonly values: readonly string[]
}

/** @throws AwsError if the list does not support a filter */
export const conditionsOf = (
  filters: readonly Filter[] | undefined,
  fields: Readonly<Record<string, unknown>>,
): readonly FilterCondition[] => {
  const conditions = (filters ?? []).map(({ Name, Values }) => ({ name: Name ?? '', values: Values ?? [] }))
  if (conditions.reduce((count, { values }) => count + values.length, 0) > mostValues) {
    throw refuse(
      'FilterLimitExceeded',
      `The maximum number of filter values specified on a single call is ${mostValues}`,
    )
  }
  for (const { name, values } of conditions) {
    const known = name.startsWith('tag:') || ['tag-key', 'tag-value'].includes(name)
    if (!known && !Object.hasOwn(fields, name)) throw invalidValue(`The filter '${name}' is invalid`)
    if (values.length === 0) throw invalidValue(`The filter '${name}' must have at least one value`)
  }
  return conditions
}

const tagValues = (tags: readonly Ec2Tag[], name: string): readonly string[] => {
  if (name === 'tag-key') return tags.map(({ Key }) => Key)
  if (name === 'tag-value') return tags.map(({ Value }) => Value)
  const key = name.slice('tag:'.length)
  return tags.flatMap(({ Key, Value }) => (Key === key ? Value : []))
}

const valuesOf = <Row extends { readonly tags: readonly Ec2Tag[] }>(
  row: Row,
  name: string,
  fields: FilterFields<Row>,
): readonly string[] => {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return tagValues(row.tags, name)
  const value = field(row)
  if (value === undefined) return []
  return typeof value === 'object' ? value : [String(value)]
}

/** Returns true if a row matches every condition. */
export const fulfils = <Row extends { readonly tags: readonly Ec2Tag[] }>(
  row: Row,
  conditions: readonly FilterCondition[],
  fields: FilterFields<Row>,
): boolean =>
  conditions.every(({ name, values }) => {
    const own = valuesOf(row, name, fields)
    return values.some(pattern => own.some(value => matches(pattern, value)))
  })
