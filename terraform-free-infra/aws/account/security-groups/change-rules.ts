import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  type EC2Client,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { AwsError, isRefusal } from '../errors/aws-error.ts'
import { permissionOf, type SecurityRule } from './security-rule.ts'

/** Rules to add to a group, or to remove from it. */
export interface RuleChange {
  readonly kind: 'authorize' | 'revoke'
  readonly groupId: string
  readonly rules: readonly SecurityRule[]
}

/** Makes one call. All rules have one direction. */
export type SendRules = (change: RuleChange) => Promise<unknown>

/** Returns a function that sends a change with a client. */
export const rulesSender =
  (ec2: Pick<EC2Client, 'send'>, abortSignal: AbortSignal): SendRules =>
  ({ kind, groupId: GroupId, rules }) => {
    const request = { GroupId, IpPermissions: rules.map(rule => permissionOf(GroupId, rule)) }
    const options = { abortSignal }
    const ingress = rules[0]?.direction === 'ingress'
    if (kind === 'authorize')
      return ingress
        ? ec2.send(new AuthorizeSecurityGroupIngressCommand(request), options)
        : ec2.send(new AuthorizeSecurityGroupEgressCommand(request), options)
    return ingress
      ? ec2.send(new RevokeSecurityGroupIngressCommand(request), options)
      : ec2.send(new RevokeSecurityGroupEgressCommand(request), options)
  }

/**
 * Changes the rules of security groups, in order, with one call per group and direction. A refused call never prevents
 * a later one. A refused authorize call is repeated after the revokes, because a full group may have room by then.
 * Throws the first error that remains.
 */
export const changeRules = async (changes: readonly RuleChange[], send: SendRules): Promise<void> => {
  const calls = changes.flatMap(oneDirectionEach)
  const lastRevoke = calls.findLastIndex(({ kind }) => kind === 'revoke')
  const refused: RuleChange[] = []
  const attempts = calls.map((call, index) => async () => {
    try {
      await changeTolerantly(call, send)
    } catch (error) {
      if (call.kind === 'revoke' || index > lastRevoke || !isAnswer(error)) throw error
      refused.push(call)
    }
  })
  await attemptAll([...attempts, () => attemptAll(refused.map(call => () => changeTolerantly(call, send)))])
}

/**
 * Runs all works in order, even if some fail. Throws the first failure at the end. An error that ends the step, such as
 * an expired claim or throttling, is thrown at once.
 */
export const attemptAll = async (works: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const failures: unknown[] = []
  for (const work of works)
    await work().catch((error: unknown) => {
      if (!isAnswer(error)) throw error
      failures.push(error)
    })
  if (failures.length > 0) throw failures[0]
}

const isAnswer = (error: unknown): boolean => error instanceof AwsError || error instanceof CodedError

const oneDirectionEach = (change: RuleChange): readonly RuleChange[] =>
  (['ingress', 'egress'] as const)
    .map(direction => ({ ...change, rules: change.rules.filter(rule => rule.direction === direction) }))
    .filter(({ rules }) => rules.length > 0)

const alreadyDone = {
  authorize: 'InvalidPermission.Duplicate',
  revoke: 'InvalidPermission.NotFound',
} as const satisfies Record<RuleChange['kind'], string>

/**
 * EC2 accepts all rules of a call or none. It refuses the call if it has added or removed one of them already: the SDK
 * repeated a call after a lost response, another client was faster, or EC2 listed a former state. A list would not show
 * which rules these are ("Eventual consistency in the Amazon EC2 API", EC2 Developer Guide), so each rule is sent
 * alone.
 */
const changeTolerantly = async (call: RuleChange, send: SendRules): Promise<void> => {
  try {
    await send(call)
  } catch (error) {
    if (!isRefusal(error, alreadyDone[call.kind])) throw error
    if (call.rules.length === 1) return
    await attemptAll(call.rules.map(rule => () => changeTolerantly({ ...call, rules: [rule] }, send)))
  }
}
