import {
  AllocateAddressCommand,
  AssociateNatGatewayAddressCommand,
  AssociateVpcCidrBlockCommand,
  AttachVpnGatewayCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateVpnGatewayCommand,
  EnableVgwRoutePropagationCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws, setLearnedRanges } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { shootIn } from './testing/shoot.ts'
import { zonesOf } from './testing/zones.ts'

const desired: Partial<DesiredInfrastructure> = {
  ipFamilies: ['IPv4', 'IPv6'],
  vpc: { kind: 'managed', cidr: '10.250.0.0/16', dedicatedTenancy: false, ipv6: { kind: 'amazon' } },
  zones: zonesOf(2),
  gatewayEndpoints: ['s3', 'dynamodb'],
  fileSystem: { id: undefined },
  efa: true,
}

const setUp = (seed: number) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false }, shuffleLists: seed })
  return { aws, clock, ...shootIn(aws, clock) }
}
type Shoot = ReturnType<typeof setUp>

/** A user adds everything to the network of a shoot that AWS lists beside what was created. */
const addOthers = async ({ aws, clock, ec2, stored }: Shoot): Promise<void> => {
  const { state } = stored
  const VpcId = state.VPC
  await ec2.send(new AssociateVpcCidrBlockCommand({ VpcId, AmazonProvidedIpv6CidrBlock: true }))
  await ec2.send(new AssociateVpcCidrBlockCommand({ VpcId, CidrBlock: '10.240.0.0/16' }))
  const { VpnGateway } = await ec2.send(new CreateVpnGatewayCommand({ Type: 'ipsec.1' }))
  const VpnGatewayId = VpnGateway?.VpnGatewayId ?? ''
  await ec2.send(new AttachVpnGatewayCommand({ VpcId, VpnGatewayId }))
  for (const key of ['MainRouteTable', 'Zones/eu-west-1a/ZoneRouteTable', 'Zones/eu-west-1b/ZoneRouteTable'])
    await ec2.send(
      new EnableVgwRoutePropagationCommand({ GatewayId: VpnGatewayId, RouteTableId: state[key] }),
    )
  setLearnedRanges(aws.account(), 'eu-west-1', VpnGatewayId, ['0.0.0.0/0', '::/0', '10.0.0.0/8'])
  for (const zone of ['eu-west-1a', 'eu-west-1b']) {
    const { AllocationId = '' } = await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))
    const NatGatewayId = state[`Zones/${zone}/NATGateway`]
    await ec2.send(new AssociateNatGatewayAddressCommand({ NatGatewayId, AllocationIds: [AllocationId] }))
  }
  await ec2.send(
    new AuthorizeSecurityGroupIngressCommand({
      GroupId: state.NodesSecurityGroup,
      IpPermissions: [{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '10.9.0.0/16' }] }],
    }),
  )
  await clock.advance(60_000)
}

describe.each([1, 2, 3])('lists in the order of seed %i', seed => {
  test('change nothing in repeated reconciles', async () => {
    const shoot = setUp(seed)
    const before = (await shoot.reconcile(desired)).state
    await addOthers(shoot)
    const after = (await shoot.reconcile(desired)).state
    expect(after).toEqual({ ...before, EgressCIDRs: after.EgressCIDRs })
    expect(after.EgressCIDRs?.split(',')).toHaveLength(4)
    shoot.writes()
    for (let times = 0; times < 8; times++) {
      const { state, waits, left } = await shoot.reconcile(desired)
      expect({ state, waits, left }).toEqual({ state: after, waits: [], left: [] })
    }
    expect(shoot.writes()).toEqual([])
  })

  test('do not decide which IPv6 block the shoot uses, if the state has lost it', async () => {
    const shoot = setUp(seed)
    const { state } = await shoot.reconcile(desired)
    await addOthers(shoot)
    for (let times = 0; times < 8; times++) {
      const { VPCIPv6CidrBlock, ...rest } = state
      shoot.stored.state = rest
      expect((await shoot.reconcile(desired)).state.VPCIPv6CidrBlock).toBe(VPCIPv6CidrBlock)
    }
  })
})
