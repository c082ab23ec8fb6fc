import {
  AssociateRouteTableCommand,
  CreateRouteTableCommand,
  DeleteRouteTableCommand,
  ReplaceRouteTableAssociationCommand,
  type RouteTable,
  type RouteTableAssociation,
} from '@aws-sdk/client-ec2'
import type { Found, ResourceType } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState, isZoneKey } from '../../state.ts'
import {
  foundTags,
  isOurs,
  isOwned,
  nameOf,
  type TagAttributes,
  type TagProof,
  tagSpecification,
  tagsAmong,
  whoseByTags,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import type { VpcOutcome } from '../vpc/vpc.ts'
import { type RouteAttributes, routeAttributes, targetIn, writeRoute } from './routes.ts'
import { ownSubnets, subnetKey } from './subnet.ts'

export interface RouteTableOutcome {
  readonly id: string
}

type RouteTableAttributes = TagAttributes & RouteAttributes

/** Returns true if the state key is for the id of a route table. */
const isRouteTableKey = (key: string): boolean => key === 'MainRouteTable' || isZoneKey(key, 'ZoneRouteTable')

export const ownRouteTables = (
  proof: TagProof,
  state: Readonly<Record<string, string>>,
  tables: readonly RouteTable[],
): readonly RouteTable[] => {
  const known = idsInState(state, isRouteTableKey)
  return tables.filter(({ RouteTableId = '', Tags }) => isOurs(proof, known, RouteTableId, Tags))
}

/** Returns false for an association that has ended or never took effect. A list may still contain it. */
export const isAssociated = ({ AssociationState }: RouteTableAssociation): boolean =>
  !/^(?:disassoc|failed)/.test(AssociationState?.State ?? '')

const associationsOf = (tables: readonly RouteTable[]) =>
  tables.flatMap(({ RouteTableId: table = '', Associations = [] }) =>
    Associations.filter(isAssociated).flatMap(({ RouteTableAssociationId: id, SubnetId: subnet }) =>
      id === undefined || subnet === undefined ? [] : [{ id, subnet, table }],
    ),
  )

export const routeTableType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, RouteTableAttributes, RouteTableOutcome, { vpc: VpcOutcome }> => ({
  what: 'route table',
  list: async ({ read, state }) => {
    const [tables, tagsProve] = await Promise.all([read(reads.routeTables), read(reads.tagsProve)])
    const proof = { ...desired, tagsProve }
    const ours = new Set(ownRouteTables(proof, state, tables))
    return tables.map(table => ({
      ...foundTable(proof, table, ours.has(table)),
      // Targets of the user's tables are in use.
      ...(!ours.has(table) &&
        !isOwned(desired, table.Tags) && { key: table.RouteTableId ?? '', foreign: true }),
    }))
  },
  create: async ({ cloud, signal, key, attributes, needs, token }) => {
    const { RouteTable } = await cloud.ec2.send(
      new CreateRouteTableCommand({
        VpcId: needs.vpc.id,
        ClientToken: token,
        TagSpecifications: tagSpecification(desired, 'route-table', attributes),
      }),
      { abortSignal: signal },
    )
    const made = foundTable({ ...desired, tagsProve: false }, RouteTable ?? {}, true)
    return { ...made, key, attributes: { ...made.attributes, ...tagsAmong(attributes) } }
  },
  update: async ({ found, changes, ...call }) => {
    for (const change of changes) await writeRoute(call, found.id, change)
    return writeTags(call, found.id, changes)
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteRouteTableCommand({ RouteTableId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  replaces: ['vpc'],
  remembers: isRouteTableKey,
  usesToken: true,
  pollMs: 2_000,
})

const foundTable = (
  proof: TagProof,
  { RouteTableId: id = '', Routes = [], Tags, VpcId }: RouteTable,
  isOwn: boolean,
): Found<RouteTableAttributes, RouteTableOutcome> => ({
  id,
  key: nameOf(Tags),
  status: 'ready',
  attributes: { ...routeAttributes(Routes), ...foundTags(Tags) },
  outcome: { id },
  uses: VpcId === undefined ? [] : [VpcId],
  // In our tables, a route to an endpoint is created and deleted with the endpoint.
  refersTo: Routes.flatMap(route => targetIn(route) ?? []).filter(target => !isOwn || !/^vpce-/.test(target)),
  ...whoseByTags(proof, id, Tags),
})

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
