import { CreateSecurityGroupCommand, CreateVpcCommand, EC2Client } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { operatorCredentials } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { clientSettings } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/client/request-handler.ts'
import { changeAll, createGroup } from './apply.ts'
import type { ObservedGroup } from './ec2.ts'
import { ruleName, sshRule } from './rules.ts'
import { sdkEc2 } from './sdk-ec2.ts'

const options = {
  throwIfExpired: () => {},
  signal: new AbortController().signal,
  secrets: [],
  explain: () => undefined,
}

const setUp = async () => {
  const { requestHandler } = shuffledAws()
  const settings = clientSettings({ requestHandler }, 'eu-west-1', operatorCredentials)
  const client = new EC2Client(settings)
  const ec2 = sdkEc2(settings, options)
  // Not a default VPC: there EC2 refuses unknown groups and rules.
  const { Vpc } = await client.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))
  const group = { VpcId: Vpc?.VpcId, GroupName: 'bastion', Description: 'of a test' }
  const { GroupId: groupId = '' } = await client.send(new CreateSecurityGroupCommand(group))
  const rulesOf = ({ rules }: Pick<ObservedGroup, 'rules'>) =>
    rules.filter(({ direction }) => direction === 'ingress').map(ruleName)
  return {
    ec2,
    groupId,
    vpcId: String(Vpc?.VpcId),
    letIn: async () => rulesOf((await ec2.groupOf(groupId)) ?? { rules: [] }),
  }
}

const from = (...last: readonly number[]) => last.map(one => sshRule('ingress', `203.0.113.${one}/32`))
const named = (...last: readonly number[]) => from(...last).map(ruleName)

test('if some rules already exist, the others are added', async () => {
  const { ec2, groupId, letIn } = await setUp()
  await ec2.authorize(groupId, from(1))
  await changeAll(ec2, [{ kind: 'authorize', groupId, rules: from(1, 2, 3), sentence: '' }])
  expect(await letIn()).toEqual(named(1, 2, 3))
})

test('if some rules are already gone, the others are removed', async () => {
  const { ec2, groupId, letIn } = await setUp()
  await ec2.authorize(groupId, from(2, 3, 4))
  await changeAll(ec2, [{ kind: 'revoke', groupId, rules: from(1, 2, 3), sentence: '' }])
  expect(await letIn()).toEqual(named(4))
})

test('all pages of an EC2 list are read', async () => {
  const { requestHandler } = shuffledAws()
  const client = new EC2Client(clientSettings({ requestHandler }, 'eu-west-1', operatorCredentials))
  for (const CidrBlock of [
    '10.1.0.0/16',
    '10.2.0.0/16',
    '10.3.0.0/16',
    '10.4.0.0/16',
    '10.5.0.0/16',
    '10.6.0.0/16',
  ]) {
    const { Vpc } = await client.send(new CreateVpcCommand({ CidrBlock }))
    const group = { VpcId: Vpc?.VpcId, GroupName: 'bastion', Description: 'of a test' }
    await client.send(new CreateSecurityGroupCommand(group))
  }
  // Pages as in a large account. EC2 requires at least five items per page.
  const inPages: AwsRequestHandler = {
    handle: (request, options) => {
      const body = String(request.body)
      if (body.includes('Action=DescribeSecurityGroups'))
        Object.assign(request, { body: `${body}&MaxResults=5` })
      return requestHandler.handle(request, options)
    },
  }
  const paged = sdkEc2(clientSettings({ requestHandler: inPages }, 'eu-west-1', operatorCredentials), options)
  expect(await paged.groupsNamed(['bastion'])).toHaveLength(6)
})

test('removing rules from a missing group succeeds', async () => {
  const { ec2 } = await setUp()
  const groupId = 'sg-0123456789abcdef0'
  await changeAll(ec2, [{ kind: 'revoke', groupId, rules: from(1), sentence: '' }])
  const added = changeAll(ec2, [{ kind: 'authorize', groupId, rules: from(1), sentence: '' }])
  await expect(added).rejects.toThrow('InvalidGroup.NotFound')
})

test('an existing group with the tag of the new one counts as created, and no other', async () => {
  const { ec2, vpcId } = await setUp()
  const group = (uid: string) => ({
    name: 'marked',
    description: 'of a test',
    vpcId,
    tags: { 'trellis.gardener.cloud/created-for': uid },
  })
  const made = await createGroup(ec2, group('one'))
  expect(made).toMatchObject({ name: 'marked', vpcId })
  expect(await createGroup(ec2, group('one'))).toEqual(made)
  await expect(createGroup(ec2, group('another'))).rejects.toThrow('InvalidGroup.Duplicate')
})
