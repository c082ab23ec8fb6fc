import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { invalidParameter, invalidValue } from '../core/refusals.ts'
import { heldByService } from '../network-interfaces/held-by-service.ts'
import { newInterface } from '../network-interfaces/new-interface.ts'
import type { Subnet, VpcEndpoint } from '../rows/network.ts'
import { endpointState } from './endpoint-state.ts'
import { prefixListOf } from './service-catalogue.ts'

/** The default policy of AWS ("Control access to VPC endpoints using endpoint policies"). */
export const openPolicy = JSON.stringify({
  Version: '2008-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: '*', Resource: '*' }],
})

/** @throws AwsError InvalidPolicyDocument */
export const checkPolicy = (text: string | undefined): string => {
  if (text === undefined || text === '') return openPolicy
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && 'Statement' in parsed) return text
  } catch {
    // Refused below.
  }
  throw refuse('InvalidPolicyDocument', 'The specified policy document is not a valid JSON policy document.')
}

export const isLive = (ec2: Ec2, row: VpcEndpoint): boolean =>
  ['pending', 'available'].includes(endpointState(ec2, row))

/** Checks the route tables of a gateway endpoint: they must be in its VPC and have no route to the same service. */
export const checkRouteTables = (
  ec2: Ec2,
  vpcId: string,
  serviceName: string,
  ids: readonly string[],
): readonly string[] => {
  for (const id of ids) {
    const table = find(ec2, 'routeTables', id)
    if (table.vpcId !== vpcId) throw invalidParameter('routeTableId', id, `It is not in the VPC ${vpcId}.`)
    const others = ec2.tables.vpcEndpoints.by('route-table-id', id)
    if (others.some(other => other.serviceName === serviceName && isLive(ec2, other))) {
      throw refuse(
        'RouteAlreadyExists',
        `route table ${id} already has a route with destination-prefix-list-id ${prefixListOf(serviceName)?.id}`,
      )
    }
  }
  return ids
}

/** Checks the subnets of an interface endpoint: they must be in its VPC, at most one per zone. */
export const checkSubnets = (ec2: Ec2, vpcId: string, ids: readonly string[]): readonly Subnet[] => {
  const subnets = ids.map(id => find(ec2, 'subnets', id))
  const stranger = subnets.find(subnet => subnet.vpcId !== vpcId)
  if (stranger) throw invalidParameter('subnetId', stranger.id, `It is not in the VPC ${vpcId}.`)
  if (new Set(subnets.map(({ zone }) => zone)).size < subnets.length) {
    throw refuse('DuplicateSubnetsInSameZone', 'Found another VPC endpoint subnet in the availability zone')
  }
  return subnets
}

export const newEndpointInterface = (
  ec2: Ec2,
  endpointId: string,
  subnet: Subnet,
  groupIds: readonly string[],
): string =>
  newInterface(ec2, {
    subnet,
    groupIds,
    type: 'vpc_endpoint',
    description: `VPC Endpoint Interface ${endpointId}`,
    ipv6Count: 0,
    requester: 'amazon-aws',
    attachment: heldByService(ec2, 'amazon-aws'),
  }).id

const addressTypes = ['ipv4', 'ipv6', 'dualstack'] as const

export const checkAddressType = (type: string | undefined): VpcEndpoint['ipAddressType'] => {
  const known = addressTypes.find(candidate => candidate === (type ?? 'ipv4'))
  if (!known) throw invalidParameter('ipAddressType', type, `It must be one of ${addressTypes.join(', ')}.`)
  return known
}

export const onlyFor = (type: VpcEndpoint['type'], name: string, value: unknown): void => {
  const given = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
  if (given) throw invalidValue(`The parameter ${name} is only supported for ${type} VPC endpoints.`)
}
