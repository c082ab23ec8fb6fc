import { type Behaviour, codeOf } from '../behaviour.ts'
import { inVpc, nothing } from './world.ts'

export const addressBehaviours: readonly Behaviour[] = [
  {
    title: 'an address is allocated for VPCs, and described',
    see: inVpc(async ({ ec2, address }) => {
      const { Addresses } = await ec2.describeAddresses({ AllocationIds: [await address()] })
      return Addresses?.map(({ Domain, AssociationId, PublicIp }) => [
        Domain,
        AssociationId,
        /^\d+(\.\d+){3}$/.test(PublicIp ?? ''),
      ])
    }),
    aws: [['vpc', undefined, true]],
  },
  {
    title: 'an address in use is not released, and is after it was taken off',
    see: inVpc(async ({ ec2, gateway, subnet, nic, address }) => {
      await gateway()
      const AllocationId = await address()
      const { AssociationId } = await ec2.associateAddress({
        NetworkInterfaceId: await nic(await subnet()),
        AllocationId,
      })
      return [
        await codeOf(ec2.releaseAddress({ AllocationId })),
        await codeOf(ec2.disassociateAddress({ AssociationId })),
        await codeOf(ec2.releaseAddress({ AllocationId })),
      ]
    }),
    aws: ['InvalidIPAddress.InUse 400', 'done', 'done'],
    moto: ['done', 'InvalidAssociationID.NotFound 400', 'InvalidAllocationID.NotFound 400'],
  },
  {
    title: 'an address is no use in a VPC without a way to the internet',
    see: inVpc(async ({ ec2, subnet, nic, address }) =>
      codeOf(
        ec2.associateAddress({
          NetworkInterfaceId: await nic(await subnet()),
          AllocationId: await address(),
        }),
      ),
    ),
    aws: 'Gateway.NotAttached 400',
    moto: 'done',
  },
  {
    title: 'an interface that has an address does not take another',
    see: inVpc(async ({ ec2, gateway, subnet, nic, address }) => {
      await gateway()
      const NetworkInterfaceId = await nic(await subnet())
      const take = async () =>
        codeOf(
          ec2.associateAddress({
            NetworkInterfaceId,
            AllocationId: await address(),
            AllowReassociation: false,
          }),
        )
      return [await take(), await take()]
    }),
    aws: ['done', 'Resource.AlreadyAssociated 400'],
    moto: ['done', 'done'],
  },
  {
    title: 'an address is released once',
    see: inVpc(async ({ ec2, address }) => {
      const AllocationId = await address()
      return [
        await codeOf(ec2.releaseAddress({ AllocationId })),
        await codeOf(ec2.releaseAddress({ AllocationId })),
      ]
    }),
    aws: ['done', 'InvalidAllocationID.NotFound 400'],
  },
  {
    title: 'an unknown address is not found',
    see: ({ ec2 }) => codeOf(ec2.describeAddresses({ AllocationIds: [nothing('eipalloc')] })),
    aws: 'InvalidAllocationID.NotFound 400',
  },
  {
    title: 'the sixth address of a region is refused',
    see: inVpc(async ({ address }) => {
      const outcomes: unknown[] = []
      for (let count = 0; count < 6; count++) outcomes.push(await codeOf(address()))
      return outcomes.at(-1)
    }),
    aws: 'AddressLimitExceeded 400',
    moto: 'done',
  },
]
