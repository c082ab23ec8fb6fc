import { formatCidr, parseCidr, subrange } from './core/cidrs/cidr.ts'
import type { Ec2, ResolvedSettings } from './core/context.ts'
import { newImage } from './images/new-image.ts'
import { publicImages } from './images/public-images.ts'
import { newSubnet } from './subnets/new-subnet.ts'
import { newVpc } from './vpcs/new-vpc.ts'
import { zonesOf } from './zones/catalogue.ts'

/**
 * Creates the resources that AWS provides in a region for every account: public images, and the default VPC with an
 * internet gateway, a route to it, and a public subnet in each zone ("Default VPCs", VPC user guide).
 */
export const prepareRegion = (
  ec2: Ec2,
  { defaultVpc, images }: Pick<ResolvedSettings, 'defaultVpc' | 'images'>,
): void => {
  if (ec2.state.prepared) return
  ec2.state.prepared = true
  // A day ago, as if these resources had existed for long.
  const then = ec2.now - 86_400_000
  const before: Ec2 = {
    ...ec2,
    now: then,
    newResource: (prefix, tags) => ({ ...ec2.newResource(prefix, tags), createdAt: then }),
  }
  for (const image of [...publicImages(ec2.region), ...images]) newImage(before, image)
  if (defaultVpc) addDefaultVpc(before)
}

const addDefaultVpc = (before: Ec2): void => {
  const { tables } = before
  const vpc = newVpc(before, {
    cidr: '172.31.0.0/16',
    tenancy: 'default',
    tags: [],
    ipv6: undefined,
    isDefault: true,
  })
  const gateway = { ...before.newResource('igw', []), vpcId: vpc.id }
  tables.internetGateways.put(gateway)
  for (const table of tables.routeTables.by('vpc-id', vpc.id)) {
    const route = { destination: '0.0.0.0/0', target: { type: 'gateway', id: gateway.id } } as const
    tables.routeTables.put({ ...table, routes: [route] })
  }
  const range = parseCidr('172.31.0.0/16')
  for (const [index, zone] of zonesOf(before.region).entries()) {
    if (!range) continue
    newSubnet(before, {
      vpcId: vpc.id,
      zone: zone.name,
      cidr: formatCidr(subrange(range, 20, BigInt(index))),
      ipv6: undefined,
      ipv6Native: false,
      tags: [],
      isDefault: true,
    })
  }
}
