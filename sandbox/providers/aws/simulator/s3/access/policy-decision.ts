import type { Principal } from '../../service.ts'
import { type Context, holds, isLike, type PolicyCondition } from './policy-conditions.ts'

/*
 * Evaluates a bucket policy for a request ("Policy evaluation logic", IAM user guide). Its grammar was checked when it
 * was stored.
 */

type Texts = string | readonly string[]

interface BucketStatement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Principal?: '*' | Readonly<Record<string, Texts>>
  readonly NotPrincipal?: '*' | Readonly<Record<string, Texts>>
  readonly Action?: Texts
  readonly NotAction?: Texts
  readonly Resource?: Texts
  readonly NotResource?: Texts
  readonly Condition?: PolicyCondition
}

export interface Question {
  readonly principal: Principal
  /** `s3:GetObject` */
  readonly action: string
  /** `arn:aws:s3:::bucket/key` */
  readonly resource: string
  readonly context: Context
}

/**
 * - `deny`: a statement denies it, whatever others allow.
 * - `allow`: a statement allows it for this principal or for everyone.
 * - `account`: a statement leaves the decision to the principal's account.
 */
export type PolicyDecision = 'deny' | 'allow' | 'account' | undefined

const listOf = (texts: Texts | undefined): readonly string[] =>
  texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts

/** Returns the role of a session. Policies can name it too. */
const roleOf = (arn: string): string | undefined => {
  const [, partition, account, role] = /^arn:([^:]+):sts::(\d{12}):assumed-role\/([^/]+)\//.exec(arn) ?? []
  return role === undefined ? undefined : `arn:${partition}:iam::${account}:role/${role}`
}

type StatementMatch = 'principal' | 'account' | undefined

const matchOf = (stated: BucketStatement['Principal'], { arn, accountId }: Principal): StatementMatch => {
  if (stated === undefined) return undefined
  if (stated === '*') return 'principal'
  const names = listOf(stated.AWS)
  if (names.some(name => name === '*' || name === arn || name === roleOf(arn))) return 'principal'
  const root = new RegExp(`^(?:${accountId}|arn:[^:]+:iam::${accountId}:root)$`)
  return names.some(name => root.test(name)) ? 'account' : undefined
}

const principalMatch = (
  { Principal: stated, NotPrincipal: others }: BucketStatement,
  who: Principal,
): StatementMatch => {
  if (others === undefined) return matchOf(stated, who)
  return matchOf(others, who) === undefined ? 'principal' : undefined
}

const isIn = (text: string, wanted: Texts | undefined, unwanted: Texts | undefined): boolean => {
  const among = (texts: Texts | undefined) => listOf(texts).some(pattern => isLike(text, pattern))
  return wanted === undefined ? !among(unwanted) : among(wanted)
}

const lower = (texts: Texts | undefined): readonly string[] | undefined =>
  texts === undefined ? undefined : listOf(texts).map(text => text.toLowerCase())

const applies = (statement: BucketStatement, { action, resource, context }: Question): boolean =>
  isIn(action.toLowerCase(), lower(statement.Action), lower(statement.NotAction)) &&
  isIn(resource, statement.Resource, statement.NotResource) &&
  holds(statement.Condition ?? {}, context)

/** Returns the decision of a policy on a request; undefined if no statement matches. */
export const decidePolicy = (policy: string, question: Question): PolicyDecision => {
  const { Statement: given }: { readonly Statement: BucketStatement | readonly BucketStatement[] } =
    JSON.parse(policy)
  const all: readonly BucketStatement[] = Array.isArray(given) ? given : [given as BucketStatement]
  const matches = all.flatMap(statement => {
    const match = principalMatch(statement, question.principal)
    return match !== undefined && applies(statement, question) ? [{ effect: statement.Effect, match }] : []
  })
  if (matches.some(({ effect }) => effect === 'Deny')) return 'deny'
  if (matches.some(({ match }) => match === 'principal')) return 'allow'
  return matches.length > 0 ? 'account' : undefined
}
