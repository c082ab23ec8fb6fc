import type { Tag } from '@aws-sdk/client-ec2'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, inVpc, nothing, tagged } from './world.ts'

const many = (count: number): Tag[] =>
  Array.from({ length: count }, (_, number) => ({ Key: `key-${number}`, Value: '' }))

const tagsOf = async ({ ec2, id }: FreshVpc) =>
  (await ec2.describeVpcs({ VpcIds: [id] })).Vpcs?.[0]?.Tags?.map(
    ({ Key, Value }) => `${Key}=${Value}`,
  ).toSorted()

const tagging = (...Tags: Tag[]): Behaviour['see'] =>
  inVpc(({ ec2, id }) => codeOf(ec2.createTags({ Resources: [id], Tags })))

/** Tags of EC2 resources. */
export const tagBehaviours: readonly Behaviour[] = [
  {
    title: 'a resource has the tags of its creation, and those of later',
    see: inVpc(
      async vpc => {
        await vpc.ec2.createTags({ Resources: [vpc.id], Tags: [{ Key: 'b', Value: '2' }] })
        return tagsOf(vpc)
      },
      { TagSpecifications: tagged('vpc', { a: '1' }) },
    ),
    aws: ['a=1', 'b=2'],
  },
  {
    title: 'a tag is overwritten',
    see: inVpc(
      async vpc => {
        await vpc.ec2.createTags({ Resources: [vpc.id], Tags: [{ Key: 'a', Value: '2' }] })
        return tagsOf(vpc)
      },
      { TagSpecifications: tagged('vpc', { a: '1' }) },
    ),
    aws: ['a=2'],
  },
  {
    // DeleteTags, API reference: "If you specify a tag key without a tag value, we delete any tag with this key".
    title: 'a tag is taken away if it has the given value, or whatever its value if none is given',
    see: inVpc(
      async vpc => {
        await vpc.ec2.deleteTags({
          Resources: [vpc.id],
          Tags: [{ Key: 'a', Value: 'other' }, { Key: 'b', Value: '2' }, { Key: 'c' }],
        })
        return tagsOf(vpc)
      },
      { TagSpecifications: tagged('vpc', { a: '1', b: '2', c: '3' }) },
    ),
    aws: ['a=1'],
  },
  {
    title: 'an unknown resource is not tagged',
    see: ({ ec2 }) =>
      codeOf(ec2.createTags({ Resources: [nothing('vpc')], Tags: [{ Key: 'a', Value: '1' }] })),
    aws: 'InvalidVpcID.NotFound 400',
  },
  {
    title: 'keys that begin with aws: are reserved',
    see: tagging({ Key: 'aws:mine', Value: '1' }),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
  {
    title: 'a resource has fifty tags at most',
    see: inVpc(async ({ ec2, id }) => [
      await codeOf(ec2.createTags({ Resources: [id], Tags: many(50) })),
      await codeOf(ec2.createTags({ Resources: [id], Tags: [{ Key: 'more', Value: '' }] })),
    ]),
    aws: ['done', 'TagLimitExceeded 400'],
  },
  {
    title: 'tags for another kind of resource are refused at creation',
    see: ({ ec2 }) =>
      codeOf(ec2.createVpc({ CidrBlock: '10.0.0.0/16', TagSpecifications: tagged('subnet', { a: '1' }) })),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
  {
    title: 'tags are described by resource and key',
    see: inVpc(
      async ({ ec2, id }) => {
        const { Tags } = await ec2.describeTags({
          Filters: [
            { Name: 'resource-id', Values: [id] },
            { Name: 'key', Values: ['a*'] },
          ],
        })
        return Tags?.map(({ Key, Value, ResourceType }) => [Key, Value, ResourceType])
      },
      { TagSpecifications: tagged('vpc', { a: '1', b: '2' }) },
    ),
    aws: [['a', '1', 'vpc']],
  },
]
