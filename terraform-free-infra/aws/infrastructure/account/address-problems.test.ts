import {
  AssociateNatGatewayAddressCommand,
  CreateNatGatewayCommand,
  CreateTagsCommand,
  DeleteNatGatewayCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { formatMilliseconds } from '../../../../shared/clock/clock.ts'
import { codesOf } from '../../../../shared/contract/classify.ts'
import type { State } from '../../../engine/engine.ts'
import { consistentAfterMs } from '../../account/consistent-after.ts'
import { cluster, judgedAccount, managed } from './testing/judged-account.ts'

describe('the user’s addresses', () => {
  const zones = (id: string) => ({
    vpc: { cidr: '10.250.0.0/16' },
    zones: [{ ...managed, elasticIPAllocationID: id }],
  })

  test('that are free cost one read besides that of the VPC', async () => {
    const { judge, address, actions } = await judgedAccount()
    expect(await judge(zones(await address()))).toEqual([])
    expect(actions()).toEqual(['DescribeVpcs', 'DescribeAddresses'])
  })

  test('an unknown profile is refused', async () => {
    const { judge } = await judgedAccount()
    expect(await judge(zones('eipalloc-0123'))).toEqual([
      'networks.zones[0].elasticIPAllocationID: expected an elastic IP address of the account in eu-west-1, found no eipalloc-0123 there',
    ])
  })

  describe('in use', () => {
    const inUse = async () => {
      const account = await judgedAccount()
      const { address, subnet, judge, vpc, ec2 } = account
      await ec2.send(new CreateTagsCommand({ Resources: [vpc], Tags: [{ Key: cluster, Value: 'owned' }] }))
      const SubnetId = await subnet('10.250.96.0/22')
      const use = async (key: string) => {
        const AllocationId = await address()
        const TagSpecifications = [
          { ResourceType: 'natgateway' as const, Tags: [{ Key: key, Value: 'owned' }] },
        ]
        const { NatGateway } = await ec2.send(
          new CreateNatGatewayCommand({ SubnetId, AllocationId, TagSpecifications }),
        )
        return { AllocationId, NatGatewayId: String(NatGateway?.NatGatewayId) }
      }
      return {
        ...account,
        use,
        judge: (id: string, state: State = {}, now = 0) =>
          judge(zones(id), { state: { VPC: vpc, ...state }, now }),
      }
    }
    const taken = (id: string) => [
      `networks.zones[0].elasticIPAllocationID: expected an unused elastic IP address, found ${id}, which is associated, but not with a NAT gateway of this shoot`,
    ]

    test('by a NAT gateway of the shoot cost no reads besides those of the plan', async () => {
      const { judge, use, actions } = await inUse()
      const { AllocationId } = await use(cluster)
      expect(await judge(AllocationId)).toEqual([])
      expect(actions().toSorted()).toEqual(['DescribeNatGateways', 'DescribeVpcs'])
    })

    test('by the gateway in the state still belong to the shoot after its tag is removed', async () => {
      const { judge, use } = await inUse()
      const { AllocationId, NatGatewayId } = await use('somebody')
      expect(await judge(AllocationId, { 'Zones/eu-west-1a/NATGateway': NatGatewayId })).toEqual([])
    })

    test('by a gateway in deletion still belong to the shoot', async () => {
      const { judge, use, ec2 } = await inUse()
      const { AllocationId, NatGatewayId } = await use(cluster)
      await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId }))
      expect(await judge(AllocationId)).toEqual([])
    })

    test('a secondary address is refused unless its gateway is replaced for it', async () => {
      const { judge, use, address, ec2 } = await inUse()
      const { NatGatewayId } = await use(cluster)
      const id = await address()
      await ec2.send(new AssociateNatGatewayAddressCommand({ NatGatewayId, AllocationIds: [id] }))
      expect(await judge(id, { 'Zones/eu-west-1a/NATGateway': NatGatewayId })).toEqual([])
      expect(await judge(id, { 'Zones/eu-west-1b/NATGateway': NatGatewayId })).toEqual([
        `networks.zones[0].elasticIPAllocationID: expected an unused elastic IP address, found ${id}, which is a secondary address of ${NatGatewayId}. Disassociate it there`,
      ])
    })

    test('addresses in any other use are refused', async () => {
      const { judge, use } = await inUse()
      const { AllocationId } = await use('kubernetes.io/cluster/another')
      expect(await judge(AllocationId)).toEqual(taken(AllocationId))
    })

    test.each([
      'Creating/Zones/eu-west-1a/NATGateway',
      'Made/Zones/eu-west-1a/NATGateway',
      'Changing/Zones/eu-west-1a/NATGateway allocation',
      'Deleted/NAT gateway/nat-0123456789abcdef0',
    ])('are checked again while AWS may not show the change %s', async key => {
      const { judge, use } = await inUse()
      const { AllocationId } = await use('kubernetes.io/cluster/another')
      const state = { [key]: formatMilliseconds(0) }
      const failure = await failureOf(judge(AllocationId, state, consistentAfterMs - 1))
      expect(codesOf(failure)).toEqual([])
      expect(failure.message).toMatch(/^eipalloc-\w+ is associated, and AWS may not show the last change/)
      expect(await judge(AllocationId, state, consistentAfterMs)).toEqual(taken(AllocationId))
    })

    test('are refused after a change of something else', async () => {
      const { judge, use } = await inUse()
      const { AllocationId } = await use('kubernetes.io/cluster/another')
      const state = { 'Made/Zones/eu-west-1a/NATGatewayElasticIP': formatMilliseconds(0) }
      expect(await judge(AllocationId, state)).toEqual(taken(AllocationId))
    })
  })
})
