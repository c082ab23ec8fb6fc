import type { Filter } from '@aws-sdk/client-ec2'
import { expect } from 'vitest'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, inside, inVpc, nothing, tagged } from './world.ts'

const withSubnets = (
  count: number,
  see: (vpc: FreshVpc & { blocks(...filters: Filter[]): Promise<unknown> }) => Promise<unknown>,
): Behaviour['see'] =>
  inVpc(async vpc => {
    for (let number = 0; number < count; number++) {
      await vpc.ec2.createSubnet({
        VpcId: vpc.id,
        CidrBlock: `10.0.${number}.0/24`,
        TagSpecifications: tagged('subnet', { Name: `nodes-${number}`, [`purpose-${number}`]: '' }),
      })
    }
    const blocks = async (...filters: Filter[]) => {
      const Filters = [...inside(vpc.id), ...filters]
      const { Subnets } = await vpc.ec2.describeSubnets({ Filters })
      return Subnets?.map(({ CidrBlock }) => CidrBlock).toSorted()
    }
    return see({ ...vpc, blocks })
  })

const all = ['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24']

/** Filters, pages and dry runs. */
export const listBehaviours: readonly Behaviour[] = [
  {
    title: 'a filter holds for any of its values, and all filters have to hold',
    see: withSubnets(3, async ({ blocks }) => [
      await blocks({ Name: 'cidr-block', Values: ['10.0.0.0/24', '10.0.2.0/24'] }),
      await blocks(
        { Name: 'cidr-block', Values: ['10.0.0.0/24', '10.0.2.0/24'] },
        { Name: 'tag:Name', Values: ['nodes-2'] },
      ),
      await blocks({ Name: 'tag:Name', Values: ['none'] }),
    ]),
    aws: [['10.0.0.0/24', '10.0.2.0/24'], ['10.0.2.0/24'], []],
  },
  {
    // "Filter the API response", EC2 API reference: "An asterisk matches zero or more characters, and a question mark
    // …".
    title: 'a star in a filter stands for any characters, a question mark for one',
    see: withSubnets(3, async ({ blocks }) => [
      await blocks({ Name: 'tag:Name', Values: ['nodes-*'] }),
      await blocks({ Name: 'tag:Name', Values: ['node?-1'] }),
      await blocks({ Name: 'tag:Name', Values: ['nodes?'] }),
    ]),
    aws: [all, ['10.0.1.0/24'], []],
  },
  {
    title: 'resources are found by the key of a tag',
    see: withSubnets(3, async ({ blocks }) => [
      await blocks({ Name: 'tag-key', Values: ['purpose-1'] }),
      await blocks({ Name: 'tag-key', Values: ['purpose-*'] }),
    ]),
    aws: [['10.0.1.0/24'], all],
  },
  {
    title: 'an empty value of a tag is found',
    see: withSubnets(1, ({ blocks }) => blocks({ Name: 'tag:purpose-0', Values: [''] })),
    aws: ['10.0.0.0/24'],
  },
  {
    title: 'a filter tells upper from lower case',
    see: withSubnets(1, ({ blocks }) => blocks({ Name: 'tag:Name', Values: ['NODES-0'] })),
    aws: [],
  },
  {
    title: 'an unknown filter is refused',
    see: ({ ec2 }) => codeOf(ec2.describeSubnets({ Filters: [{ Name: 'colour', Values: ['red'] }] })),
    aws: 'InvalidParameterValue 400',
    moto: expect.stringContaining('500'),
  },
  {
    title: 'a list of one unknown id among known ones is refused',
    see: inVpc(async ({ ec2, subnet }) =>
      codeOf(ec2.describeSubnets({ SubnetIds: [await subnet(), nothing('subnet')] })),
    ),
    aws: 'InvalidSubnetID.NotFound 400',
  },
  {
    title: 'a list comes in pages of the wanted size',
    see: withSubnets(7, async ({ ec2, id }) => {
      const Filters = inside(id)
      const first = await ec2.describeSubnets({ Filters, MaxResults: 5 })
      const second = await ec2.describeSubnets({
        Filters,
        MaxResults: 5,
        ...(first.NextToken ? { NextToken: first.NextToken } : {}),
      })
      const blocks = [first, second].map(({ Subnets }) => Subnets?.length)
      const different = new Set(
        [first, second].flatMap(page => page.Subnets?.map(({ SubnetId }) => SubnetId)),
      )
      return [blocks, different.size, second.NextToken]
    }),
    aws: [[5, 2], 7, undefined],
    moto: [[7, 7], 7, undefined],
  },
  {
    // DescribeSubnets, API reference: MaxResults has a "Minimum value of 5".
    title: 'a page of four is refused',
    see: ({ ec2 }) => codeOf(ec2.describeSubnets({ MaxResults: 4 })),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
  {
    // DescribeInstances, API reference: "You cannot specify this parameter and the instance IDs parameter in the same
    // request".
    title: 'ids and pages do not go together',
    see: ({ ec2 }) => codeOf(ec2.describeInstances({ InstanceIds: [nothing('i')], MaxResults: 5 })),
    aws: 'InvalidParameterCombination 400',
  },
  {
    title: 'a page token that is none is refused',
    see: ({ ec2 }) => codeOf(ec2.describeSubnets({ MaxResults: 5, NextToken: 'nonsense' })),
    aws: expect.stringMatching(/^Invalid(NextToken|Parameter(Value)?) 400$/),
    moto: 'done',
  },
  {
    // "DryRun", common parameters of the EC2 API reference; 412 is what EC2 answers.
    title: 'a dry run tells that the call would be allowed, and does nothing',
    see: inVpc(async ({ ec2, id: VpcId }) => {
      const outcome = await codeOf(ec2.createSubnet({ VpcId, CidrBlock: '10.0.0.0/24', DryRun: true }))
      return [outcome, (await ec2.describeSubnets({ Filters: inside(VpcId) })).Subnets?.length]
    }),
    aws: ['DryRunOperation 412', 0],
    moto: ['done', 1],
  },
]
