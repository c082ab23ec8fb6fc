import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
  type IpPermission,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect } from 'vitest'
import { zones } from '../../../functions/aws/infrastructure/testing/objects.ts'
import type { Hands, ShootShape } from '../made-shoot.ts'
import { dualStack, testDrifts, usual } from './drift.ts'

const plain: ShootShape = { parts: () => ({ zones: zones(1) }) }

const nodePorts = (IpProtocol: string, cidr: string): IpPermission => ({
  IpProtocol,
  FromPort: 30_000,
  ToPort: 32_767,
  ...(cidr.includes(':') ? { Ipv6Ranges: [{ CidrIpv6: cidr }] } : { IpRanges: [{ CidrIp: cidr }] }),
})
const all = (cidr: string): IpPermission => ({ IpProtocol: '-1', IpRanges: [{ CidrIp: cidr }] })

const letIn = ({ ec2, id }: Hands, ...IpPermissions: IpPermission[]) =>
  ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: id('NodesSecurityGroup'), IpPermissions }))
const denyRules = ({ ec2, id }: Hands, ...IpPermissions: IpPermission[]) =>
  ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId: id('NodesSecurityGroup'), IpPermissions }))
const groupOf = async ({ ec2, id }: Hands, key = 'NodesSecurityGroup') =>
  (await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [id(key)] }))).SecurityGroups?.[0]

const ssh: IpPermission = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22 }

describe('in the security group of the nodes, an operator', () => {
  testDrifts(usual, [
    {
      what: 'no longer lets nodes talk to each other',
      done: hands =>
        denyRules(hands, {
          IpProtocol: '-1',
          UserIdGroupPairs: [{ GroupId: hands.id('NodesSecurityGroup') }],
        }),
      repaired: ['AuthorizeSecurityGroupIngress NodesSecurityGroup'],
    },
    {
      what: 'closes the ports of services',
      done: hands => denyRules(hands, nodePorts('tcp', '0.0.0.0/0'), nodePorts('udp', '10.250.96.0/22')),
      repaired: ['AuthorizeSecurityGroupIngress NodesSecurityGroup'],
    },
    {
      what: 'closes the way out',
      done: ({ ec2, id }) =>
        ec2.send(
          new RevokeSecurityGroupEgressCommand({
            GroupId: id('NodesSecurityGroup'),
            IpPermissions: [all('0.0.0.0/0')],
          }),
        ),
      repaired: ['AuthorizeSecurityGroupEgress NodesSecurityGroup'],
    },
    {
      what: 'opens the ports of services to a range of the VPC that is no longer any subnet of theirs',
      done: hands => letIn(hands, nodePorts('tcp', '10.250.200.0/22')),
      repaired: ['RevokeSecurityGroupIngress NodesSecurityGroup'],
    },
    {
      what: 'lets in a bastion and a load balancer, which stay while a rule of ours comes back',
      done: async hands => {
        const VpcId = hands.id('VPC')
        const other = { VpcId, GroupName: 'bastion', Description: 'Bastion security group' }
        const { GroupId } = await hands.ec2.send(new CreateSecurityGroupCommand(other))
        await letIn(
          hands,
          { ...ssh, UserIdGroupPairs: [{ GroupId, Description: 'SSH' }] },
          { IpProtocol: 'tcp', FromPort: 30_000, ToPort: 32_767, UserIdGroupPairs: [{ GroupId }] },
          { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, IpRanges: [{ CidrIp: '198.51.100.0/24' }] },
          nodePorts('tcp', '203.0.113.0/24'),
        )
        await denyRules(hands, nodePorts('udp', '0.0.0.0/0'))
      },
      repaired: ['AuthorizeSecurityGroupIngress NodesSecurityGroup'],
      survives: async hands => {
        const rules = (await groupOf(hands))?.IpPermissions ?? []
        expect(rules.filter(({ FromPort }) => FromPort === 22 || FromPort === 443)).toHaveLength(2)
        const ports = rules.find(({ FromPort, IpProtocol }) => FromPort === 30_000 && IpProtocol === 'tcp')
        expect(ports?.IpRanges).toContainEqual({ CidrIp: '203.0.113.0/24' })
        expect(ports?.UserIdGroupPairs).toHaveLength(1)
      },
    },
    {
      what: 'lets out to one place more, which stays',
      done: ({ ec2, id }) =>
        ec2.send(
          new AuthorizeSecurityGroupEgressCommand({
            GroupId: id('NodesSecurityGroup'),
            IpPermissions: [{ ...ssh, IpRanges: [{ CidrIp: '198.51.100.0/24' }] }],
          }),
        ),
      repaired: [],
      survives: async hands => expect((await groupOf(hands))?.IpPermissionsEgress).toHaveLength(2),
    },
    {
      what: 'opens the default group, which is to let nothing through',
      done: ({ ec2, id }) =>
        ec2.send(
          new AuthorizeSecurityGroupIngressCommand({
            GroupId: id('DefaultSecurityGroup'),
            IpPermissions: [{ ...ssh, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }],
          }),
        ),
      repaired: ['RevokeSecurityGroupIngress DefaultSecurityGroup'],
    },
  ])
  testDrifts(plain, [
    {
      what: 'deletes all of it',
      done: ({ ec2, id }) => ec2.send(new DeleteSecurityGroupCommand({ GroupId: id('NodesSecurityGroup') })),
      repaired: ['CreateSecurityGroup VPC', 'AuthorizeSecurityGroupIngress new NodesSecurityGroup'],
    },
  ])
  testDrifts(dualStack, [
    {
      what: 'closes the ports of services to IPv6',
      done: hands => denyRules(hands, nodePorts('tcp', '::/0')),
      repaired: ['AuthorizeSecurityGroupIngress NodesSecurityGroup'],
    },
  ])
})
