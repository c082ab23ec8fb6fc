import {
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointsCommand,
  type Filter,
  type NatGateway,
  type RouteTable,
  type SecurityGroup,
  type Subnet,
  type VpcEndpoint,
} from '@aws-sdk/client-ec2'
import type { Read, State } from '../../../engine/engine.ts'
import { type Ec2Page, ec2Pages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isZoneKey } from '../state.ts'
import { type isDoneWith, subnetKinds } from '../tags.ts'

export interface ById<T> {
  /** EC2's filter by id. */
  readonly idFilter: string
  readonly idOf: (item: T) => string | undefined
}

/**
 * Returns the listed resources, and those with these ids that the list lacks: a list may omit a resource that changed
 * while its pages were read. A request by filter returns nothing for an id that does not exist.
 */
export const listWithIds = async <T>(
  list: (filters: Filter[]) => Promise<readonly T[]>,
  filters: Filter[],
  { ids, idFilter, idOf }: { readonly ids: ReadonlySet<string> } & ById<T>,
): Promise<readonly T[]> => {
  const found = await list(filters)
  const known = new Set(found.map(idOf))
  const missing = [...ids].filter(id => !known.has(id))
  return missing.length === 0 ? found : [...found, ...(await list([{ Name: idFilter, Values: missing }]))]
}

export interface ReadContext {
  readonly cloud: AwsCloud
  readonly state: State
  readonly signal: AbortSignal
  readonly polling?: boolean
  readonly read: Read<AwsCloud>
}

/** A kind of resource inside a VPC, and how EC2 lists it. */
export interface ListedKind<T> extends ById<T> {
  /** The plural noun. */
  readonly name: string
  /** Returns true if the state key holds an id of the kind. */
  readonly isKey: (stateKey: string) => boolean
  /** Ids in the config. */
  readonly given?: readonly string[]
  readonly list: (context: Pick<ReadContext, 'cloud' | 'signal'>, Filters: Filter[]) => Promise<readonly T[]>
  /** If absent, a deletion reads the kind in every step. */
  readonly left?: (state: State) => Parameters<typeof isDoneWith>[2]
}

interface ListedKinds {
  readonly subnets: ListedKind<Subnet>
  readonly routeTables: ListedKind<RouteTable>
  readonly natGateways: ListedKind<NatGateway>
  readonly securityGroups: ListedKind<SecurityGroup>
  readonly gatewayEndpoints: ListedKind<VpcEndpoint>
}

/** The kinds whose resources are in the VPC of the shoot. */
export const listedKinds = (desired: DesiredInfrastructure): ListedKinds => {
  return {
    subnets: {
      name: 'subnets',
      idFilter: 'subnet-id',
      idOf: ({ SubnetId }) => SubnetId,
      isKey: key => isZoneKey(key, ...Object.values(subnetKinds).map(({ stateKey }) => stateKey)),
      given:
        desired.zones.kind === 'own'
          ? desired.zones.zones.flatMap(zone => [zone.workers, zone.public ?? [], zone.internal ?? []].flat())
          : [],
      list: ({ cloud, signal }, Filters) =>
        ec2Pages('Subnets', 'SubnetId', (page: Ec2Page) =>
          cloud.ec2.send(new DescribeSubnetsCommand({ Filters, ...page }), { abortSignal: signal }),
        ),
    },
    routeTables: {
      name: 'route tables',
      idFilter: 'route-table-id',
      idOf: ({ RouteTableId }) => RouteTableId,
      isKey: key => key === 'MainRouteTable' || isZoneKey(key, 'ZoneRouteTable'),
      list: ({ cloud, signal }, Filters) =>
        ec2Pages('RouteTables', 'RouteTableId', (page: Ec2Page) =>
          cloud.ec2.send(new DescribeRouteTablesCommand({ Filters, ...page }), { abortSignal: signal }),
        ),
    },
    natGateways: {
      name: 'NAT gateways',
      idFilter: 'nat-gateway-id',
      idOf: ({ NatGatewayId }) => NatGatewayId,
      isKey: key => isZoneKey(key, 'NATGateway'),
      list: ({ cloud, signal }, Filters) =>
        ec2Pages('NatGateways', 'NatGatewayId', (page: Ec2Page) =>
          cloud.ec2.send(new DescribeNatGatewaysCommand({ Filter: Filters, ...page }), {
            abortSignal: signal,
          }),
        ),
    },
    securityGroups: {
      name: 'security groups',
      idFilter: 'group-id',
      idOf: ({ GroupId }) => GroupId,
      isKey: key => key === 'NodesSecurityGroup' || key === 'DefaultSecurityGroup',
      given: desired.nodesSecurityGroup === undefined ? [] : [desired.nodesSecurityGroup],
      list: ({ cloud, signal }, Filters) =>
        ec2Pages('SecurityGroups', 'GroupId', (page: Ec2Page) =>
          cloud.ec2.send(new DescribeSecurityGroupsCommand({ Filters, ...page }), { abortSignal: signal }),
        ),
      left: () => ({
        what: 'leftover security group',
        keys: ['NodesSecurityGroup'],
        behind: ['network interface'],
      }),
    },
    gatewayEndpoints: {
      name: 'gateway endpoints',
      idFilter: 'vpc-endpoint-id',
      idOf: ({ VpcEndpointId }) => VpcEndpointId,
      isKey: isEndpointKey,
      list: ({ cloud, signal }, filters) => {
        const Filters = [...filters, { Name: 'vpc-endpoint-type', Values: ['Gateway'] }]
        return ec2Pages('VpcEndpoints', 'VpcEndpointId', (page: Ec2Page) =>
          cloud.ec2.send(new DescribeVpcEndpointsCommand({ Filters, ...page }), { abortSignal: signal }),
        )
      },
      left: state => ({ what: 'gateway endpoint', keys: Object.keys(state).filter(isEndpointKey) }),
    },
  }
}

const isEndpointKey = (key: string): boolean => key.startsWith('VPCEndpoints/')
