import { AssociateRouteTableCommand, ReplaceRouteTableAssociationCommand } from '@aws-sdk/client-ec2'
import type { ResourceType } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { isZoneKey } from '../../state.ts'
import type { NetworkReads } from '../reads.ts'
import { associationsOf } from './route-table.ts'
import { ownSubnets, subnetKey } from './subnet.ts'

interface Association {
  readonly id: string
}
/** Ids. */
type AssociationAttributes = { readonly subnet: string; readonly table: string }

/** The route table of a subnet. The association is deleted with the subnet. */
export const associationType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, AssociationAttributes, Association> => ({
  what: 'route table association',
  list: async ({ read, state }) => {
    const [tables, subnets, tagsProve] = await Promise.all([
      read(reads.routeTables),
      read(reads.subnets),
      read(reads.tagsProve),
    ])
    const keys = new Map(
      ownSubnets({ ...desired, tagsProve }, state, subnets).map(subnet => [
        subnet.SubnetId ?? '',
        subnetKey(subnet),
      ]),
    )
    return associationsOf(tables).flatMap(({ id, subnet, table }) => {
      const key = keys.get(subnet)
      if (key === undefined) return []
      return [
        { id, key, status: 'ready', attributes: { subnet, table }, outcome: { id }, ours: 'proved' } as const,
      ]
    })
  },
  create: async ({ cloud, signal, key, attributes }) => {
    const id = await associate(cloud, signal, attributes)
    return { id, key, status: 'ready', attributes, outcome: { id } }
  },
  update: async ({ cloud, signal, found, attributes }) => {
    // The association of a deleted subnet cannot be changed.
    const id =
      found.attributes.subnet === attributes.subnet
        ? await replace(cloud, signal, found.id, attributes.table)
        : await associate(cloud, signal, attributes)
    return { ...found, id, attributes, outcome: { id } }
  },
  remembers: key =>
    isZoneKey(
      key,
      'SubnetPublicRouteTableAssoc',
      'SubnetPrivateRouteTableAssoc',
      'SubnetWorkersRouteTableAssoc',
    ),
})

const associate = async (
  cloud: AwsCloud,
  abortSignal: AbortSignal,
  { subnet, table }: AssociationAttributes,
): Promise<string> => {
  const command = new AssociateRouteTableCommand({ SubnetId: subnet, RouteTableId: table })
  return (await cloud.ec2.send(command, { abortSignal })).AssociationId ?? ''
}

const replace = async (
  cloud: AwsCloud,
  abortSignal: AbortSignal,
  AssociationId: string,
  RouteTableId: string,
): Promise<string> => {
  const command = new ReplaceRouteTableAssociationCommand({ AssociationId, RouteTableId })
  return (await cloud.ec2.send(command, { abortSignal })).NewAssociationId ?? ''
}
