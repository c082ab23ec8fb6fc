import { runInNewContext } from 'node:vm'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { CloudProfileConfig } from '../../account/config/config.ts'

type FloatingPool = CloudProfileConfig['constraints']['floatingPools'][number]

/**
 * Returns the `defaultFloatingSubnet` of a floating pool. The entry for this region and domain overrides those for all
 * of them, and a longer name overrides a shorter one with a wildcard. The Go extension ignores entries without a region.
 */
export const defaultFloatingSubnet = (
  pools: readonly FloatingPool[],
  {
    name,
    region,
    domain,
  }: { readonly name: string; readonly region: string; readonly domain: string | undefined },
): string | undefined => {
  const fits = (pool: FloatingPool): boolean =>
    isNamed(pool.name, name) &&
    (!pool.region || pool.region === region) &&
    (!pool.domain || pool.domain === domain)
  const rank = (pool: FloatingPool): number =>
    (pool.region ? 2_000 : 0) + (pool.domain ? 1_000 : 0) + (pool.name === name ? 500 : pool.name.length)
  const [best] = pools
    .filter(pool => fits(pool) && !!pool.defaultFloatingSubnet)
    .sort((one, other) => rank(other) - rank(one))
  return best?.defaultFloatingSubnet
}

/** The wildcard is at one end, or it is the whole pattern. */
const isNamed = (pattern: string, name: string): boolean =>
  pattern === name ||
  (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))) ||
  (pattern.startsWith('*') && name.endsWith(pattern.slice(1)))

/** The longest time to match one name, in ms. A user may write an expression that never ends. */
const matchLimitMs = 200

/**
 * Returns a function that matches a whole name of a subnet: a name, a pattern with `*`, or an expression after `~`.
 * A `!` in front inverts it. Throws a `CodedError` for an invalid expression.
 */
export const subnetMatcher = (pattern: string): ((name: string) => boolean) => {
  const isInverse = pattern.startsWith('!')
  const rest = isInverse ? pattern.slice(1) : pattern
  const fits = rest.startsWith('~') ? expressionMatcher(rest.slice(1), pattern) : globMatcher(rest)
  // A subnet without a name is never chosen.
  return name => name !== '' && fits(name) !== isInverse
}

const expressionMatcher = (expression: string, pattern: string): ((name: string) => boolean) => {
  const [, flags = '', source = ''] = /^(?:\(\?([is]+)\))?(.*)$/s.exec(expression) ?? []
  const matches = (name: string): boolean => {
    try {
      return runInNewContext(
        "new RegExp('^(?:' + source + ')$', flags).test(name)",
        { source, flags, name },
        { timeout: matchLimitMs },
      )
    } catch (error) {
      throw configurationProblem(
        `spec.providerConfig.floatingPoolSubnetName: ${JSON.stringify(pattern)} is not a usable expression. Correct it, or use a name`,
        error,
      )
    }
  }
  matches('')
  return matches
}

/** `*` stands for any text. */
const globMatcher =
  (glob: string) =>
  (name: string): boolean => {
    const [first = '', ...others] = glob.split('*')
    const last = others.pop()
    if (last === undefined) return name === glob
    if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
      return false
    const end = name.length - last.length
    let at = first.length
    for (const part of others) {
      const found = name.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
