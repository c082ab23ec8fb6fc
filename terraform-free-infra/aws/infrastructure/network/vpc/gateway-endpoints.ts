import {
  CreateVpcEndpointCommand,
  DeleteVpcEndpointsCommand,
  type IpAddressType,
  ModifyVpcEndpointCommand,
  type VpcEndpoint,
} from '@aws-sdk/client-ec2'
import type { Found, FoundStatus, GraphBuilder, Ref, ResourceType } from '../../../../engine/engine.ts'
import { AwsError } from '../../../account/errors/aws-error.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState } from '../../state.ts'
import {
  foundTags,
  isOwned,
  ownsTag,
  type TagAttributes,
  type TagProof,
  tagAttributes,
  tagSpecification,
  tagsOf,
  whoseByTags,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import { ownRouteTables, type RouteTableOutcome } from '../subnets/route-table.ts'
import type { VpcOutcome } from './vpc.ts'

interface Endpoint {
  readonly id: string
}
/** Contains only our route tables. */
type EndpointAttributes = TagAttributes & {
  readonly addressType: string
} & { readonly [Table in `route table ${string}`]: true | undefined }

const isEndpointKey = (key: string): boolean => key.startsWith('VPCEndpoints/')

/** A gateway endpoint. Its key is the short name of its service (`s3`). */
const gatewayEndpointType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, EndpointAttributes, Endpoint, { vpc: VpcOutcome }> => {
  const prefix = `com.amazonaws.${desired.region}.`
  const foundEndpoint = (
    endpoint: VpcEndpoint,
    tables: ReadonlySet<string>,
    proof: TagProof,
  ): Found<EndpointAttributes, Endpoint> => {
    const { VpcEndpointId: id = '', ServiceName = '', VpcId } = endpoint
    const own = (endpoint.RouteTableIds ?? []).filter(table => tables.has(table))
    return {
      id,
      key: ServiceName.startsWith(prefix) ? ServiceName.slice(prefix.length) : ServiceName,
      status: statusOf(endpoint),
      attributes: {
        addressType: endpoint.IpAddressType ?? 'ipv4',
        ...Object.fromEntries(own.map(table => [`route table ${table}`, true])),
        ...foundTags(endpoint.Tags),
      },
      outcome: { id },
      uses: [...(VpcId === undefined ? [] : [VpcId]), ...own],
      ...whoseByTags(proof, id, endpoint.Tags),
    }
  }
  return {
    what: 'gateway endpoint',
    list: async ({ read, state }) => {
      const [endpoints, tables, tagsProve] = await Promise.all([
        read(reads.gatewayEndpoints),
        read(reads.routeTables),
        read(reads.tagsProve),
      ])
      const proof = { ...desired, tagsProve }
      const known = idsInState(state, isEndpointKey)
      const ids = new Set(ownRouteTables(proof, state, tables).map(({ RouteTableId = '' }) => RouteTableId))
      return endpoints
        .filter(({ VpcEndpointId = '', Tags }) => isOwned(desired, Tags) || known.has(VpcEndpointId))
        .map(endpoint => foundEndpoint(endpoint, ids, proof))
    },
    create: async ({ cloud, signal, key, attributes, needs: { vpc }, token }) => {
      const tables = tablesAmong(Object.keys(attributes))
      const { VpcEndpoint } = await cloud.ec2.send(
        new CreateVpcEndpointCommand({
          VpcId: vpc.id,
          VpcEndpointType: 'Gateway',
          ServiceName: `${prefix}${key}`,
          IpAddressType: attributes.addressType as IpAddressType,
          RouteTableIds: tables,
          ClientToken: token,
          TagSpecifications: tagSpecification(desired, 'vpc-endpoint', attributes),
        }),
        { abortSignal: signal },
      )
      const made = foundEndpoint(VpcEndpoint ?? {}, new Set(tables), { ...desired, tagsProve: false })
      return { ...made, key, attributes: { ...attributes, ...made.attributes } }
    },
    update: async ({ found, changes, attributes, ...call }) => {
      const { cloud, signal } = call
      const added = tablesAmong(changes.flatMap(({ attribute, after }) => (after === true ? attribute : [])))
      const removed = tablesAmong(
        changes.flatMap(({ attribute, after }) => (after === undefined ? attribute : [])),
      )
      const type = changes.some(({ attribute }) => attribute === 'addressType')
      if (added.length > 0 || removed.length > 0 || type)
        await cloud.ec2.send(
          new ModifyVpcEndpointCommand({
            VpcEndpointId: found.id,
            ...(added.length > 0 && { AddRouteTableIds: added }),
            ...(removed.length > 0 && { RemoveRouteTableIds: removed }),
            ...(type && { IpAddressType: attributes.addressType as IpAddressType }),
          }),
          { abortSignal: signal },
        )
      return writeTags(call, found.id, changes)
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      const command = new DeleteVpcEndpointsCommand({ VpcEndpointIds: [id] })
      const { Unsuccessful = [] } = await cloud.ec2.send(command, { abortSignal: signal })
      const [refused] = Unsuccessful
      if (refused?.Error !== undefined) {
        const { Code: code = '', Message: text = '' } = refused.Error
        throw new AwsError('DeleteVpcEndpoints', { code, status: undefined, said: `${code}: ${text}` })
      }
      return 'going'
    },
    marks: true,
    replaces: ['vpc'],
    owns: attribute => attribute.startsWith('route table ') || ownsTag(desired, attribute),
    remembers: isEndpointKey,
    usesToken: true,
    pollMs: 5_000,
    patienceMs: 15_000,
  }
}

const tablesAmong = (attributes: readonly string[]): string[] =>
  attributes.flatMap(attribute =>
    attribute.startsWith('route table ') ? [attribute.slice('route table '.length)] : [],
  )

/** EC2 writes the states of the API in lower case, and still lists deleted endpoints. */
const statusOf = ({ State }: VpcEndpoint): FoundStatus => {
  switch (State?.toLowerCase()) {
    case 'available':
      return 'ready'
    case 'deleting':
      return 'deleting'
    case 'deleted':
      return 'gone'
    case 'failed':
    case 'rejected':
    case 'expired':
      return 'failed'
    default:
      return 'pending'
  }
}

/** The desired endpoints, with the route tables of the zones. Our other endpoints are deleted. */
export const addGatewayEndpoints = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  {
    vpc,
    tables,
  }: { readonly vpc: Ref<VpcOutcome>; readonly tables: ReadonlyMap<string, Ref<RouteTableOutcome>> },
): void => {
  const type = gatewayEndpointType(desired, reads)
  graph.sweep(type)
  const { ipFamilies, clusterName } = desired
  const addressType = ipFamilies.length > 1 ? 'dualstack' : ipFamilies.includes('IPv6') ? 'ipv6' : 'ipv4'
  for (const service of desired.gatewayEndpoints)
    graph.add(type, service, {
      needs: { ...Object.fromEntries([...tables].map(([zone, table]) => [`table ${zone}`, table])), vpc },
      attributes: outcomes => ({
        addressType,
        ...Object.fromEntries(
          Object.entries(outcomes)
            .filter(([need]) => need !== 'vpc')
            .map(([, { id }]) => [`route table ${id}`, true] as const),
        ),
        ...tagAttributes(tagsOf(desired, `${clusterName}-gw-${service}`)),
      }),
      state: { id: `VPCEndpoints/${service}` },
    })
}
