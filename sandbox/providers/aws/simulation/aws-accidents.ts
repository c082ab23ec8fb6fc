import * as ec2 from '@aws-sdk/client-ec2'
import { DeleteRolePolicyCommand, IAMClient, ListRolesCommand } from '@aws-sdk/client-iam'
import {
  ChangeResourceRecordSetsCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53'
import { operator } from '../account-contents.ts'
import { furnishedZone } from '../furnished-zone.ts'
import type { Aws } from '../simulator/aws.ts'

type Accident = (pick: number) => Promise<string | undefined>

const clusterTag = 'kubernetes.io/cluster/shoot--'
const isOfShoot = ({ Tags = [] }: { readonly Tags?: ec2.Tag[] | undefined }) =>
  Tags.some(({ Key = '' }) => Key.startsWith(clusterTag))

const chosen = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(list.length, 1)]

/** People in the account of the shoots, by what they do. */
export const awsAccidents = (aws: Aws): Readonly<Record<(typeof awsAccidentNames)[number], Accident>> => {
  const settings = operator(aws.requestHandler)
  const client = new ec2.EC2Client(settings)
  const iam = new IAMClient(settings)
  const route53 = new Route53Client(settings)

  const tables = async () =>
    ((await client.send(new ec2.DescribeRouteTablesCommand({}))).RouteTables ?? []).filter(isOfShoot)
  const groups = async () =>
    ((await client.send(new ec2.DescribeSecurityGroupsCommand({}))).SecurityGroups ?? []).filter(isOfShoot)
  const subnets = async () =>
    ((await client.send(new ec2.DescribeSubnetsCommand({}))).Subnets ?? []).filter(isOfShoot)

  return {
    'delete a route': async pick => {
      const routes = (await tables()).flatMap(({ RouteTableId, Routes = [] }) =>
        Routes.filter(({ GatewayId }) => GatewayId !== 'local').map(({ DestinationCidrBlock }) => ({
          RouteTableId,
          DestinationCidrBlock,
        })),
      )
      const route = chosen(routes, pick)
      if (route === undefined) return undefined
      await client.send(new ec2.DeleteRouteCommand(route))
      return `${route.RouteTableId} ${route.DestinationCidrBlock}`
    },
    'take a route table from its subnet': async pick => {
      const all = (await tables()).flatMap(({ Associations = [] }) => Associations)
      const one = chosen(
        all.filter(({ SubnetId }) => SubnetId !== undefined),
        pick,
      )
      if (one === undefined) return undefined
      await client.send(new ec2.DisassociateRouteTableCommand({ AssociationId: one.RouteTableAssociationId }))
      return one.RouteTableAssociationId
    },
    'revoke a rule of a security group': async pick => {
      const rules = (await groups()).flatMap(({ GroupId, IpPermissions = [] }) =>
        IpPermissions.map(permission => ({ GroupId, IpPermissions: [permission] })),
      )
      const rule = chosen(rules, pick)
      if (rule === undefined) return undefined
      await client.send(new ec2.RevokeSecurityGroupIngressCommand(rule))
      return rule.GroupId
    },
    'remove the name of a subnet': async pick => {
      const { SubnetId } = chosen(await subnets(), pick) ?? {}
      if (SubnetId === undefined) return undefined
      await client.send(new ec2.DeleteTagsCommand({ Resources: [SubnetId], Tags: [{ Key: 'Name' }] }))
      return SubnetId
    },
    'add a tag to a subnet': async pick => {
      const { SubnetId } = chosen(await subnets(), pick) ?? {}
      if (SubnetId === undefined) return undefined
      const Tags = [{ Key: 'kubernetes.io/role/elb', Value: 'no' }]
      await client.send(new ec2.CreateTagsCommand({ Resources: [SubnetId], Tags }))
      return SubnetId
    },
    'delete a subnet': async pick => {
      const { SubnetId } = chosen(await subnets(), pick) ?? {}
      if (SubnetId === undefined) return undefined
      await client.send(new ec2.DeleteSubnetCommand({ SubnetId }))
      return SubnetId
    },
    'terminate a machine': async pick => {
      const { Reservations = [] } = await client.send(new ec2.DescribeInstancesCommand({}))
      const machines = Reservations.flatMap(({ Instances = [] }) => Instances).filter(isOfShoot)
      const { InstanceId } = chosen(machines, pick) ?? {}
      if (InstanceId === undefined) return undefined
      await client.send(new ec2.TerminateInstancesCommand({ InstanceIds: [InstanceId] }))
      return InstanceId
    },
    'delete the key pair': async pick => {
      const { KeyPairs = [] } = await client.send(new ec2.DescribeKeyPairsCommand({}))
      const { KeyName } = chosen(KeyPairs.filter(isOfShoot), pick) ?? {}
      if (KeyName === undefined) return undefined
      await client.send(new ec2.DeleteKeyPairCommand({ KeyName }))
      return KeyName
    },
    'delete the policy of the role of nodes': async pick => {
      const { Roles = [] } = await iam.send(new ListRolesCommand({}))
      const { RoleName } =
        chosen(
          Roles.filter(role => role.RoleName?.startsWith('shoot--')),
          pick,
        ) ?? {}
      if (RoleName === undefined) return undefined
      await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName: RoleName }))
      return RoleName
    },
    'delete a DNS record': async pick => {
      const HostedZoneId = furnishedZone.id
      const { ResourceRecordSets = [] } = await route53.send(
        new ListResourceRecordSetsCommand({ HostedZoneId }),
      )
      const record = chosen(
        ResourceRecordSets.filter(({ Name = '', Type }) => Type === 'A' && !Name.startsWith('others.')),
        pick,
      )
      if (record === undefined) return undefined
      await route53.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId,
          ChangeBatch: { Changes: [{ Action: 'DELETE', ResourceRecordSet: record }] },
        }),
      )
      return record.Name
    },
  }
}

export const awsAccidentNames = [
  'delete a route',
  'take a route table from its subnet',
  'revoke a rule of a security group',
  'remove the name of a subnet',
  'add a tag to a subnet',
  'delete a subnet',
  'terminate a machine',
  'delete the key pair',
  'delete the policy of the role of nodes',
  'delete a DNS record',
] as const
