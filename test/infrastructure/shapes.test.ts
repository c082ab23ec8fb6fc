import { CreateSecurityGroupCommand, EC2Client } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { accountContents, operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { clusterOf, type ObjectParts, zones } from '../../functions/aws/infrastructure/testing/objects.ts'
import { stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import type { Aws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { addIpamPool } from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { makeVpc } from './account.ts'

interface Shape {
  readonly parts: ObjectParts
  readonly cluster?: ReturnType<typeof clusterOf>
}

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  return { aws, clock }
}

const ownGroup = async (aws: Aws): Promise<Shape> => {
  const [id] = (await makeVpc(aws.requestHandler)).values()
  const ec2 = new EC2Client(operator(aws.requestHandler))
  const command = new CreateSecurityGroupCommand({ VpcId: id, GroupName: 'mine', Description: 'mine' })
  const { GroupId } = await ec2.send(command)
  return { parts: { vpc: { id }, networks: { nodesSecurityGroupID: GroupId } } }
}

const pool = async (aws: Aws): Promise<Shape> => {
  addIpamPool(aws.account(), 'eu-west-1', 'ipam-pool-1', '2001:db8::/48')
  const ipv6IpamPool = { id: 'ipam-pool-1', cidrBlock: '2001:db8:0:100::/56' }
  return {
    parts: { vpc: { cidr: '10.250.0.0/16', ipv6IpamPool } },
    cluster: clusterOf({ networking: { ipFamilies: ['IPv4', 'IPv6'] } }),
  }
}

const efa = { providerConfig: { networkInterfaces: [{ type: 'efa' }] } }

describe.each<[string, (aws: Aws) => Shape | Promise<Shape>]>([
  ['IPv6 by the switch of the config alone', () => ({ parts: { rest: { dualStack: { enabled: true } } } })],
  ['IPv6 of a pool', pool],
  ['worker pools with EFA', () => ({ parts: {}, cluster: clusterOf({ workers: [efa] }) })],
  ['a security group of the user', ownGroup],
  ['dedicated tenancy', () => ({ parts: { rest: { enableDedicatedTenancyForVPC: true } } })],
  [
    'no key pair and no ECR',
    () => ({ parts: { spec: { sshPublicKey: '' }, rest: { enableECRAccess: false } } }),
  ],
  [
    'tags that are ignored',
    () => ({ parts: { zones: zones(2), rest: { ignoreTags: { keys: ['team'], keyPrefixes: ['cost/'] } } } }),
  ],
])('a shoot with %s', (_, shapeOf) => {
  test('is created, does not change, and is deleted completely', async () => {
    const { aws, clock } = setUp()
    const { parts, cluster } = await shapeOf(aws)
    const before = await accountContents(aws.requestHandler)
    const { until, status } = stepsOver(aws.requestHandler, clock, parts)
    const options = cluster === undefined ? {} : { cluster }
    await until('reconcile', options)
    const made = status()
    aws.calls.clear()
    await until('reconcile', options)
    expect(aws.calls.all().filter(({ action }) => !/^(?:Describe|Get|List)/.test(action))).toEqual([])
    expect(status()).toEqual(made)
    await until('remove', options)
    expect(await accountContents(aws.requestHandler)).toEqual(before)
  })
})
