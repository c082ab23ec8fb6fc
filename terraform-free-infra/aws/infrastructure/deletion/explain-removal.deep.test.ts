import {
  AllocateAddressCommand,
  AttachVpnGatewayCommand,
  CreateNatGatewayCommand,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcEndpointCommand,
  CreateVpnGatewayCommand,
  DeleteVpcEndpointsCommand,
  DescribeVpnGatewaysCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { addServiceInterface, createAws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { shootIn } from '../network/testing/shoot.ts'
import { zonesOf } from '../network/testing/zones.ts'

const one = { zones: zonesOf(1) }

/** A complete shoot with one zone. */
const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  const shoot = shootIn(aws, clock)
  const { state } = await shoot.reconcile(one)
  const group = async (GroupName: string) => {
    const command = new CreateSecurityGroupCommand({ GroupName, Description: 'x', VpcId: state.VPC })
    return (await shoot.ec2.send(command)).GroupId ?? ''
  }
  const subnet = async () => {
    const command = new CreateSubnetCommand({ VpcId: state.VPC, CidrBlock: '10.250.200.0/24' })
    return (await shoot.ec2.send(command)).Subnet?.SubnetId ?? ''
  }
  const serviceInterface = (parts: object) =>
    addServiceInterface(aws.account(), 'eu-west-1', {
      subnetId: state['Zones/eu-west-1a/SubnetWorkers'] ?? '',
      description: 'AWS Lambda VPC ENI-images-1234',
      requester: 'AROAEXAMPLE:lambda',
      ...parts,
    })
  return { ...shoot, aws, clock, state, group, subnet, serviceInterface }
}

/** Returns the error of a deletion, without the labels of resources. */
const failureOf = async (removing: Promise<unknown>): Promise<string> => {
  try {
    await removing
  } catch (error) {
    return String(error)
  }
  return ''
}

describe('a blocked deletion names', () => {
  test('the endpoint of a security service in a subnet, and then the group of the service', async () => {
    const { aws, ec2, state, group, remove } = await setUp()
    const name = `GuardDutyManagedSecurityGroup-${state.VPC}`
    const groupId = await group(name)
    const subnet = state['Zones/eu-west-1a/SubnetPublicUtility'] ?? ''
    const { VpcEndpoint } = await ec2.send(
      new CreateVpcEndpointCommand({
        VpcId: state.VPC,
        VpcEndpointType: 'Interface',
        ServiceName: 'com.amazonaws.eu-west-1.guardduty-data',
        SubnetIds: [subnet],
        SecurityGroupIds: [groupId],
      }),
    )
    const endpoint = VpcEndpoint?.VpcEndpointId ?? ''
    const [eni] = VpcEndpoint?.NetworkInterfaceIds ?? []
    aws.calls.clear()
    expect(await failureOf(remove(one))).toContain(
      `${subnet} is in use by network interface ${eni} (VPC endpoint ${endpoint}, requested by amazon-aws, security group ${name}). Delete the VPC endpoint ${endpoint}, or ask its owner to do so`,
    )
    await ec2.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [endpoint] }))
    expect(await failureOf(remove(one))).toContain(
      `${state.VPC} is in use by security group ${groupId} (${name}). Delete ${groupId}`,
    )
  })

  test('the interfaces of any service in a subnet, at most three of them', async () => {
    const { state, serviceInterface, remove } = await setUp()
    const first = serviceInterface({})
    const failure = await failureOf(remove(one))
    const subnet = state['Zones/eu-west-1a/SubnetWorkers']
    expect(failure).toContain(
      `${subnet} is in use by network interface ${first} ("AWS Lambda VPC ENI-images-1234", requested by AROAEXAMPLE:lambda, security group default, attached by AROAEXAMPLE:lambda). Delete ${first} or what uses it`,
    )
    for (let count = 0; count < 5; count++) serviceInterface({ description: `${'x'.repeat(5_000)}\u0007` })
    const many = await failureOf(remove(one))
    expect(many).toContain('and 3 more. Delete them, or ask their owners to do so')
    expect(many).not.toContain('\u0007')
    expect(many.length).toBeLessThan(2_000)
  })

  test('the interfaces that use the nodes’ group', async () => {
    const { aws, state, subnet, remove } = await setUp()
    const eni = addServiceInterface(aws.account(), 'eu-west-1', {
      subnetId: await subnet(),
      groupIds: [state.NodesSecurityGroup ?? ''],
      description: 'RDSNetworkInterface',
      requester: 'amazon-rds',
    })
    expect(await failureOf(remove(one))).toContain(
      `${state.NodesSecurityGroup} is in use by network interface ${eni} ("RDSNetworkInterface", requested by amazon-rds`,
    )
  })

  test('the gateways and the subnet of others in the VPC', async () => {
    const { ec2, clock, state, subnet, remove } = await setUp()
    const SubnetId = await subnet()
    const { AllocationId } = await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))
    const { NatGateway } = await ec2.send(new CreateNatGatewayCommand({ SubnetId, AllocationId }))
    await clock.advance(200_000)
    const gateway = NatGateway?.NatGatewayId ?? ''
    const failure = await failureOf(remove(one))
    expect(failure).toMatch(
      new RegExp(
        `${state.InternetGateway} is in use by network interface eni-\\w+ \\(NAT gateway ${gateway}, requested by amazon-aws\\). Delete the NAT gateway ${gateway}`,
      ),
    )
  })

  test('the route table and the VPN gateway of others in the VPC', async () => {
    const { ec2, state, remove } = await setUp()
    const VpcId = state.VPC
    const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId }))
    const { VpnGateway } = await ec2.send(new CreateVpnGatewayCommand({ Type: 'ipsec.1' }))
    const VpnGatewayId = VpnGateway?.VpnGatewayId
    await ec2.send(new AttachVpnGatewayCommand({ VpcId, VpnGatewayId }))
    expect(await failureOf(remove(one))).toContain(
      `${VpcId} is in use by VPN gateway ${VpnGatewayId} and route table ${RouteTable?.RouteTableId}. Delete them, or ask their owners to do so`,
    )
    expect((await ec2.send(new DescribeVpnGatewaysCommand({}))).VpnGateways).toHaveLength(1)
  })

  test('all that it knows, if it may not read the VPN gateways', async () => {
    const { aws, ec2, state, remove } = await setUp()
    const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId: state.VPC }))
    aws.faults.add({ action: 'DescribeVpnGateways', times: null, effect: { kind: 'denied' } })
    expect(await failureOf(remove(one))).toContain(
      `${state.VPC} is in use by route table ${RouteTable?.RouteTableId}. Delete ${RouteTable?.RouteTableId}, or ask its owner to do so`,
    )
  })
})

test('a deletion that nothing blocks reads no interfaces', async () => {
  const { aws, remove } = await setUp()
  aws.calls.clear()
  await remove(one)
  expect(aws.calls.all().map(({ action }) => action)).not.toContain('DescribeNetworkInterfaces')
})
