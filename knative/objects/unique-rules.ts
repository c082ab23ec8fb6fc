import type { V1PolicyRule } from '@kubernetes/client-node'
import type { Json } from '../../shared/kubernetes/kubernetes.ts'
import type { Comment } from './explained.ts'

export interface ReasonedRule {
  readonly rule: Json<V1PolicyRule>
  readonly why?: string
}

/** Returns each rule once, with all its reasons. */
export const uniqueRules = (rules: readonly ReasonedRule[]): readonly ReasonedRule[] =>
  [...Map.groupBy(rules, ({ rule }) => JSON.stringify(rule)).values()].flatMap(alike => {
    const reasons = [...new Set(alike.flatMap(({ why }) => why ?? []))]
    return alike
      .slice(0, 1)
      .map(({ rule }) => ({ rule, ...(reasons.length > 0 && { why: reasons.join('\n') }) }))
  })

/** Returns the comments of a role: the reason of each rule. */
export const ruleComments = (rules: readonly ReasonedRule[]): readonly Comment[] =>
  rules.flatMap(({ why }, index): readonly Comment[] => (why === undefined ? [] : [[['rules', index], why]]))
