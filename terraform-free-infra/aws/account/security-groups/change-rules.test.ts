import {
  CreateSecurityGroupCommand,
  CreateVpcCommand,
  DescribeSecurityGroupsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws, operatorCredentials } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { CodedError, RequeueAfterError } from '../../../../shared/contract/errors.ts'
import { clientSettings } from '../client/client.ts'
import { AwsError, describeAwsError } from '../errors/aws-error.ts'
import { attemptAll, changeRules, type RuleChange, rulesSender, type SendRules } from './change-rules.ts'
import { ruleName, ruleOf, rulesOf } from './security-rule.ts'

const signal = new AbortController().signal

const setUp = async ({ rules }: { readonly rules?: number } = {}) => {
  const aws = createAws({ ec2: { limits: rules === undefined ? {} : { rules } } })
  const settings = clientSettings({ requestHandler: aws.requestHandler }, 'eu-west-1', operatorCredentials)
  const ec2 = new EC2Client(settings)
  // Not a default VPC: there EC2 accepts the removal of unknown rules.
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))
  const group = { VpcId: Vpc?.VpcId, GroupName: 'example', Description: 'of a test' }
  const { GroupId: groupId = '' } = await ec2.send(new CreateSecurityGroupCommand(group))
  const found = async () => {
    const command = new DescribeSecurityGroupsCommand({ GroupIds: [groupId] })
    return (await ec2.send(command)).SecurityGroups?.flatMap(rulesOf).map(ruleName) ?? []
  }
  const sender = rulesSender(ec2, signal)
  const send: SendRules = change =>
    sender(change).catch((error: unknown) => {
      throw describeAwsError(error, { doing: 'changing rules' })
    })
  aws.calls.clear()
  return {
    aws,
    groupId,
    send,
    change: (...changes: readonly RuleChange[]) => changeRules(changes, send),
    authorize: (...names: readonly string[]) => ({
      kind: 'authorize' as const,
      groupId,
      rules: rulesNamed(names),
    }),
    revoke: (...names: readonly string[]) => ({ kind: 'revoke' as const, groupId, rules: rulesNamed(names) }),
    ingress: async () => (await found()).filter(name => name.startsWith('ingress')),
    egress: async () => (await found()).filter(name => name.startsWith('egress')),
    calls: () => aws.calls.all().map(({ action }) => action.replace('SecurityGroup', '')),
  }
}

const rulesNamed = (names: readonly string[]) => names.flatMap(name => ruleOf(name) ?? [])
const from = (...last: readonly number[]) => last.map(one => `ingress tcp 22 203.0.113.${one}/32`)

describe('changes', () => {
  test('are made in order, with one call per direction', async () => {
    const { change, authorize, revoke, calls, ingress, egress } = await setUp()
    await change(authorize(...from(1, 2), 'egress tcp 22 itself'), revoke('egress all 0.0.0.0/0'))
    expect(calls()).toEqual(['AuthorizeIngress', 'AuthorizeEgress', 'RevokeEgress'])
    expect(await ingress()).toEqual(from(1, 2))
    expect(await egress()).toEqual(['egress tcp 22 itself'])
  })

  test('make no call without rules', async () => {
    const { change, authorize, revoke, calls } = await setUp()
    await change(authorize(), revoke())
    expect(calls()).toEqual([])
  })
})

describe('rules that', () => {
  test('partly exist already are added', async () => {
    const { change, authorize, ingress } = await setUp()
    await change(authorize(...from(1, 3)))
    await change(authorize(...from(1, 2, 3, 4)))
    expect((await ingress()).toSorted()).toEqual(from(1, 2, 3, 4))
  })

  test('are partly gone already are removed', async () => {
    const { change, authorize, revoke, ingress } = await setUp()
    await change(authorize(...from(2, 3, 4)))
    await change(revoke(...from(1, 2, 3)))
    expect(await ingress()).toEqual(from(4))
  })

  test('were changed by others are changed without a read, which might show a former state', async () => {
    const { aws, change, authorize, revoke, ingress, calls } = await setUp()
    await change(authorize(...from(1, 2)))
    aws.calls.clear()
    await change(revoke(...from(2, 3)), authorize(...from(1, 4)))
    expect(calls().filter(action => action.startsWith('Describe'))).toEqual([])
    expect((await ingress()).toSorted()).toEqual(from(1, 4))
  })
})

describe('a refused call', () => {
  test('to authorize is repeated after the revokes, which make room', async () => {
    const { change, authorize, revoke, ingress, calls, aws } = await setUp({ rules: 3 })
    await change(authorize(...from(1, 2, 3)))
    aws.calls.clear()
    await change(authorize(...from(4, 5)), revoke(...from(1, 2)))
    expect(calls().slice(0, 3)).toEqual(['AuthorizeIngress', 'RevokeIngress', 'AuthorizeIngress'])
    expect(await ingress()).toEqual(from(3, 4, 5))
  })

  test('is not repeated if nothing is revoked', async () => {
    const { change, authorize, calls } = await setUp({ rules: 1 })
    await expect(change(authorize(...from(1, 2)))).rejects.toThrow('RulesPerSecurityGroupLimitExceeded')
    expect(calls()).toEqual(['AuthorizeIngress'])
  })

  test('prevents no other call, and its error is thrown', async () => {
    const { aws, change, authorize, revoke, ingress, egress } = await setUp()
    await change(authorize(...from(1)))
    const effect = { kind: 'error', code: 'UnauthorizedOperation', status: 403 } as const
    aws.faults.add({ action: 'RevokeSecurityGroupIngress', times: null, effect })
    const changes = [authorize('egress tcp 22 itself'), revoke(...from(1), 'egress all 0.0.0.0/0')]
    await expect(change(...changes, authorize(...from(2)))).rejects.toThrow('UnauthorizedOperation')
    expect(await ingress()).toEqual(from(1, 2))
    expect(await egress()).toEqual(['egress tcp 22 itself'])
  })

  test('of one of two groups prevents no revoke in the other', async () => {
    const { change, send, authorize, revoke, ingress, groupId } = await setUp()
    await change(authorize(...from(1)))
    const gone = { ...authorize(...from(2)), groupId: 'sg-0123456789abcdef0' }
    await expect(changeRules([gone, revoke(...from(1))], send)).rejects.toThrow('InvalidGroup.NotFound')
    expect(groupId).not.toBe(gone.groupId)
    expect(await ingress()).toEqual([])
  })
})

test('an error that ends the step ends the changes at once', async () => {
  const { authorize, revoke } = await setUp()
  const sent: string[] = []
  const send: SendRules = async ({ kind }) => {
    sent.push(kind)
    throw new RequeueAfterError(new Error('throttled'), 30_000)
  }
  await expect(changeRules([authorize(...from(1)), revoke(...from(2))], send)).rejects.toThrow('throttled')
  expect(sent).toEqual(['authorize'])
})

test('all works are attempted, and the first failure is thrown', async () => {
  const done: number[] = []
  const refusal = new AwsError('changing', { code: 'Refused', status: 400, said: 'Refused: no' })
  const works = [refusal, new CodedError('later', { codes: [] }), undefined].map(
    (error, index) => async () => {
      if (error !== undefined) throw error
      done.push(index)
    },
  )
  await expect(attemptAll(works)).rejects.toBe(refusal)
  expect(done).toEqual([2])
})
