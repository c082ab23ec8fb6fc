import { type AwsEndpoint, type Behaviour, codeOf } from '../behaviour.ts'
import { inVpc, nothing, present, tagged } from './world.ts'

const make = async ({ ec2 }: Pick<AwsEndpoint, 'ec2'>, tags?: Record<string, string>) => {
  const made = await ec2.createDhcpOptions({
    DhcpConfigurations: [
      { Key: 'domain-name', Values: ['eu-west-1.compute.internal'] },
      { Key: 'domain-name-servers', Values: ['AmazonProvidedDNS'] },
    ],
    ...(tags ? { TagSpecifications: tagged('dhcp-options', tags) } : {}),
  })
  return present(made.DhcpOptions?.DhcpOptionsId)
}

const find = async ({ ec2 }: Pick<AwsEndpoint, 'ec2'>, id: string) =>
  (await ec2.describeDhcpOptions({ DhcpOptionsIds: [id] })).DhcpOptions?.[0]

export const dhcpOptionsBehaviours: readonly Behaviour[] = [
  {
    title: 'DHCP options are described as they were given',
    see: async endpoint => {
      const options = await find(endpoint, await make(endpoint))
      return options?.DhcpConfigurations?.map(({ Key, Values }) => `${Key}=${Values?.[0]?.Value}`).toSorted()
    },
    aws: ['domain-name-servers=AmazonProvidedDNS', 'domain-name=eu-west-1.compute.internal'],
  },
  {
    title: 'DHCP options carry the tags of their creation',
    see: async endpoint => (await find(endpoint, await make(endpoint, { Name: 'shoot' })))?.Tags,
    aws: [{ Key: 'Name', Value: 'shoot' }],
    moto: [],
  },
  {
    title: 'a VPC takes other DHCP options, which cannot be deleted then',
    see: inVpc(async vpc => {
      const DhcpOptionsId = await make(vpc)
      await vpc.ec2.associateDhcpOptions({ VpcId: vpc.id, DhcpOptionsId })
      const { Vpcs } = await vpc.ec2.describeVpcs({ VpcIds: [vpc.id] })
      return [
        Vpcs?.[0]?.DhcpOptionsId === DhcpOptionsId,
        await codeOf(vpc.ec2.deleteDhcpOptions({ DhcpOptionsId })),
      ]
    }),
    aws: [true, 'DependencyViolation 400'],
  },
  {
    title: 'DHCP options that no VPC has are deleted, and gone',
    see: async endpoint => {
      const DhcpOptionsId = await make(endpoint)
      return [
        await codeOf(endpoint.ec2.deleteDhcpOptions({ DhcpOptionsId })),
        await codeOf(endpoint.ec2.deleteDhcpOptions({ DhcpOptionsId })),
      ]
    },
    aws: ['done', 'InvalidDhcpOptionID.NotFound 400'],
  },
  {
    title: 'DHCP options outlive their VPC',
    see: inVpc(async vpc => {
      const DhcpOptionsId = await make(vpc)
      await vpc.ec2.associateDhcpOptions({ VpcId: vpc.id, DhcpOptionsId })
      await vpc.remove()
      return codeOf(find(vpc, DhcpOptionsId))
    }),
    aws: 'done',
    moto: 'InvalidDhcpOptionID.NotFound 400',
  },
  {
    title: 'unknown DHCP options are not given to a VPC',
    see: inVpc(({ ec2, id: VpcId }) =>
      codeOf(ec2.associateDhcpOptions({ VpcId, DhcpOptionsId: nothing('dopt') })),
    ),
    aws: 'InvalidDhcpOptionID.NotFound 400',
  },
]
