import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateTagsCommand,
  DeleteNatGatewayCommand,
  DeleteSubnetCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import * as classic from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { exampleObjects, type Gallery, startGallery } from './harness.ts'

const cluster = 'shoot--garden--one-zone'
const Tags = [{ Key: `kubernetes.io/cluster/${cluster}`, Value: 'owned' }]

let gallery: Gallery
let before: readonly string[] = []
beforeEach(async () => {
  gallery = await startGallery()
  before = await gallery.contents()
  await gallery.create(await exampleObjects('one-zone'))
})
afterEach(() => gallery.close())

const stateOf = (): Readonly<Record<string, string>> => {
  const { state } = gallery.object().status ?? {}
  return (state as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data ?? {}
}
const clients = () => {
  const settings = operator(gallery.handler)
  return {
    ec2: new EC2Client(settings),
    elb: new classic.ElasticLoadBalancingClient(settings),
    v2: new elbv2.ElasticLoadBalancingV2Client(settings),
  }
}
/** Returns the mutating calls that were refused. */
const refused = () =>
  gallery.aws.calls
    .all()
    .filter(({ action, outcome }) => outcome !== 'success' && !/^(?:Describe|Get|List)/.test(action))
    .map(({ action, errorCode }) => `${action} ${errorCode}`)

test('the deletion removes leftovers of the cluster controllers without a failed attempt', async () => {
  const { ec2, elb, v2 } = clients()
  const { VPC: VpcId, NodesSecurityGroup: nodes } = stateOf()
  const subnet = stateOf()['Zones/eu-west-1a/SubnetPublicUtility'] ?? ''
  const { GroupId = '' } = await ec2.send(
    new CreateSecurityGroupCommand({ GroupName: 'k8s-elb-a1b2c3', Description: 'x', VpcId }),
  )
  await ec2.send(new CreateTagsCommand({ Resources: [GroupId], Tags }))
  // The cloud controller adds such rules so that a load balancer reaches the nodes.
  const naming = (id: string | undefined) => [{ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: id }] }]
  await ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: nodes, IpPermissions: naming(GroupId) }))
  await ec2.send(new AuthorizeSecurityGroupEgressCommand({ GroupId, IpPermissions: naming(nodes) }))
  await elb.send(
    new classic.CreateLoadBalancerCommand({
      LoadBalancerName: 'a1b2c3',
      Listeners: [{ Protocol: 'tcp', LoadBalancerPort: 443, InstancePort: 30443 }],
      Subnets: [subnet],
      SecurityGroups: [GroupId],
      Tags,
    }),
  )
  const { LoadBalancers } = await v2.send(
    new elbv2.CreateLoadBalancerCommand({ Name: 'web', Type: 'network', Subnets: [subnet], Tags }),
  )
  const { TargetGroups } = await v2.send(
    new elbv2.CreateTargetGroupCommand({ Name: 'pods', Protocol: 'TCP', Port: 80, VpcId }),
  )
  const TargetGroupArn = TargetGroups?.[0]?.TargetGroupArn
  await v2.send(
    new elbv2.CreateListenerCommand({
      LoadBalancerArn: LoadBalancers?.[0]?.LoadBalancerArn,
      Protocol: 'TCP',
      Port: 80,
      DefaultActions: [{ Type: 'forward', TargetGroupArn }],
    }),
  )
  const failures: string[] = []
  gallery.onStatus(({ lastError }) => {
    if (lastError) failures.push(lastError.description)
  })

  await gallery.remove()
  expect(await gallery.contents()).toEqual(before)
  expect(failures).toEqual([])
  // At most the groups are refused. They refer to each other until one reference is removed.
  expect(new Set(refused())).toEqual(new Set(['DeleteSecurityGroup DependencyViolation']))
})

// docs/contract/provider-aws-defects.md#zones-without-subnets
test('the deletion removes the remains of a zone although its subnets are already gone', async () => {
  const { ec2 } = clients()
  const state = stateOf()
  await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: state['Zones/eu-west-1a/NATGateway'] }))
  await gallery.clock.advance(60_000)
  for (const subnet of ['SubnetWorkers', 'SubnetPublicUtility', 'SubnetPrivateUtility'])
    await ec2.send(new DeleteSubnetCommand({ SubnetId: state[`Zones/eu-west-1a/${subnet}`] }))
  await gallery.remove()
  expect(await gallery.contents()).toEqual(before)
})

test('a deletion lists load balancers once, not in every step', async () => {
  await gallery.remove()
  const asked = gallery.actions().filter(action => action === 'DescribeLoadBalancers')
  // One call for each load balancer API.
  expect(asked).toHaveLength(2)
})
