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
