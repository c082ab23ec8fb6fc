/*
 * Policy conditions ("IAM JSON policy elements: Condition operators", IAM user guide). All operators must match, each
 * for all of its keys, each key for one of its values.
 */

import { matchesWildcards, wildcardOf } from '../../wildcards.ts'

/** The values of a request by condition key in lower case. Keys without a value are absent. */
export type Context = ReadonlyMap<string, string>

export type PolicyCondition = Readonly<Record<string, Readonly<Record<string, unknown>>>>

type Test = (actual: string, expected: string) => boolean

/** Returns true if a text matches a pattern with `*` and `?`. */
export const isLike = (text: string, pattern: string): boolean =>
  matchesWildcards(pattern.split('').map(wildcardOf), text)

const numbers =
  (test: (actual: number, expected: number) => boolean): Test =>
  (actual, expected) =>
    test(Number(actual), Number(expected))

const dates =
  (test: (actual: number, expected: number) => boolean): Test =>
  (actual, expected) =>
    test(Date.parse(actual), /^\d+$/.test(expected) ? Number(expected) * 1000 : Date.parse(expected))

const equal: Test = (actual, expected) => actual === expected
const equalIgnoringCase: Test = (actual, expected) => actual.toLowerCase() === expected.toLowerCase()

const toNumber = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const isInRange: Test = (actual, expected) => {
  const [network = '', bits = '32'] = expected.split('/')
  if (actual.includes(':') || network.includes(':')) return actual === network
  const size = 2 ** (32 - Number(bits))
  return Math.floor(toNumber(actual) / size) === Math.floor(toNumber(network) / size)
}

const positive: Readonly<Record<string, Test>> = {
  StringEquals: equal,
  StringEqualsIgnoreCase: equalIgnoringCase,
  StringLike: isLike,
  ArnEquals: isLike,
  ArnLike: isLike,
  Bool: equalIgnoringCase,
  BinaryEquals: equal,
  IpAddress: isInRange,
  NumericEquals: numbers((actual, expected) => actual === expected),
  NumericLessThan: numbers((actual, expected) => actual < expected),
  NumericLessThanEquals: numbers((actual, expected) => actual <= expected),
  NumericGreaterThan: numbers((actual, expected) => actual > expected),
  NumericGreaterThanEquals: numbers((actual, expected) => actual >= expected),
  DateEquals: dates((actual, expected) => actual === expected),
  DateLessThan: dates((actual, expected) => actual < expected),
  DateLessThanEquals: dates((actual, expected) => actual <= expected),
  DateGreaterThan: dates((actual, expected) => actual > expected),
  DateGreaterThanEquals: dates((actual, expected) => actual >= expected),
}

/** Negated operators. They match if the positive one fails for all values, and also for absent keys. */
const negated: Readonly<Record<string, Test>> = {
  StringNotEquals: equal,
  StringNotEqualsIgnoreCase: equalIgnoringCase,
  StringNotLike: isLike,
  ArnNotEquals: isLike,
  ArnNotLike: isLike,
  NotIpAddress: isInRange,
  NumericNotEquals: numbers((actual, expected) => actual === expected),
  DateNotEquals: dates((actual, expected) => actual === expected),
}

const valuesOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(item => String(item))

/** `ForAnyValue` and `ForAllValues` are for keys with several values. Here each key has at most one. */
const parts = (name: string) => {
  const operator = name.replace(/^For(?:AnyValue|AllValues):/, '')
  return {
    forAll: name.startsWith('ForAllValues:'),
    operator: operator.replace(/IfExists$/, ''),
    ifExists: operator.endsWith('IfExists'),
  }
}

/** Returns true if AWS has an operator of this name. */
export const isOperator = (name: string): boolean => {
  const { operator } = parts(name)
  return operator === 'Null' || operator in positive || operator in negated
}

const holdsFor = (name: string, actual: string | undefined, expected: readonly string[]): boolean => {
  const { operator, ifExists, forAll } = parts(name)
  if (operator === 'Null') return expected.some(value => (value === 'true') === (actual === undefined))
  const never = negated[operator]
  if (never !== undefined) return actual === undefined || !expected.some(value => never(actual, value))
  const test = positive[operator]
  if (actual === undefined) return ifExists || forAll
  return test !== undefined && expected.some(value => test(actual, value))
}

/** Returns true if the conditions of a statement match a request. */
export const holds = (condition: PolicyCondition, context: Context): boolean =>
  Object.entries(condition).every(([name, keys]) =>
    Object.entries(keys).every(([key, value]) =>
      holdsFor(name, context.get(key.toLowerCase()), valuesOf(value)),
    ),
  )
