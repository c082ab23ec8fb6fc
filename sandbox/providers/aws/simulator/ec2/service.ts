import type { Rates } from '../faults/rates.ts'
import type { Service } from '../service.ts'
import { addressOperations } from './addresses/addresses.ts'
import { type Ec2Settings, resolveSettings } from './core/context.ts'
import { ec2Owner } from './core/model.ts'
import { ec2Refusals } from './core/refusals.ts'
import { actionsOf } from './core/requests/actions.ts'
import { handlersOf } from './core/requests/operation.ts'
import { countedOf, requestRates } from './core/requests/rates.ts'
import type { Ec2State } from './core/state.ts'
import { dhcpOptionsOperations } from './dhcp-options/dhcp-options.ts'
import { endpointOperations } from './endpoints/endpoints.ts'
import { modifyEndpointOperations } from './endpoints/modify.ts'
import { egressOnlyGatewayOperations } from './gateways/egress-only-gateways.ts'
import { internetGatewayOperations } from './gateways/internet-gateways.ts'
import { vpnGatewayOperations } from './gateways/vpn-gateways.ts'
import { imageOperations } from './images/images.ts'
import { instanceAttributeOperations } from './instances/attribute.ts'
import { describeInstancesOperations } from './instances/describe.ts'
import { runInstancesOperations } from './instances/launch/run-instances.ts'
import { lifecycleOperations } from './instances/lifecycle.ts'
import { keyPairOperations } from './key-pairs/key-pairs.ts'
import { natAddressOperations } from './nat-gateways/nat-addresses.ts'
import { natGatewayOperations } from './nat-gateways/nat-gateways.ts'
import { networkInterfaceOperations } from './network-interfaces/interfaces.ts'
import { interfaceIpv6Operations } from './network-interfaces/ipv6.ts'
import { routeTableAssociationOperations } from './route-tables/associations.ts'
import { routeTableOperations } from './route-tables/route-tables.ts'
import { routeOperations } from './route-tables/routes.ts'
import { describeRulesOperations } from './security-groups/describe-rules.ts'
import { securityGroupOperations } from './security-groups/groups.ts'
import { permissionOperations } from './security-groups/permissions.ts'
import { subnetAttributeOperations } from './subnets/attributes.ts'
import { subnetReservationOperations } from './subnets/reservations.ts'
import { subnetCidrOperations } from './subnets/subnet-cidr-operations.ts'
import { subnetOperations } from './subnets/subnets.ts'
import { tagOperations } from './tags/tags.ts'
import { volumeOperations } from './volumes/volumes.ts'
import { vpcCidrOperations } from './vpcs/vpc-cidr-operations.ts'
import { vpcOperations } from './vpcs/vpcs.ts'
import { zoneOperations } from './zones/zones.ts'

const operations = {
  ...addressOperations,
  ...describeInstancesOperations,
  ...describeRulesOperations,
  ...dhcpOptionsOperations,
  ...egressOnlyGatewayOperations,
  ...endpointOperations,
  ...imageOperations,
  ...instanceAttributeOperations,
  ...interfaceIpv6Operations,
  ...internetGatewayOperations,
  ...keyPairOperations,
  ...lifecycleOperations,
  ...modifyEndpointOperations,
  ...natAddressOperations,
  ...natGatewayOperations,
  ...networkInterfaceOperations,
  ...permissionOperations,
  ...routeOperations,
  ...routeTableAssociationOperations,
  ...routeTableOperations,
  ...runInstancesOperations,
  ...securityGroupOperations,
  ...subnetAttributeOperations,
  ...subnetCidrOperations,
  ...subnetOperations,
  ...subnetReservationOperations,
  ...tagOperations,
  ...volumeOperations,
  ...vpcCidrOperations,
  ...vpcOperations,
  ...vpnGatewayOperations,
  ...zoneOperations,
}

/** The request rates that AWS documents for EC2, for `AwsOptions.rates`. */
export const ec2Rates: Rates = requestRates(Object.keys(operations))

/** The parameters with ids, for the text of a denial. */
const subjects: Readonly<Record<string, string>> = {
  VpcId: 'vpc',
  SubnetId: 'subnet',
  GroupId: 'security-group',
  RouteTableId: 'route-table',
  InternetGatewayId: 'internet-gateway',
  NatGatewayId: 'natgateway',
  AllocationId: 'elastic-ip',
  NetworkInterfaceId: 'network-interface',
}

/** EC2: networks and machines. */
export const createEc2 = (settings: Ec2Settings = {}): Service<Ec2State> => ({
  ...ec2Owner,
  signingName: 'ec2',
  // Enough for user data and hundreds of parameters.
  largestBody: 1024 * 1024,
  refusals: ec2Refusals,
  actionsOf,
  countedOf,
  handlers: handlersOf(operations, resolveSettings(settings)),
  resourceOf: (_, input) => {
    for (const [name, type] of Object.entries(subjects)) {
      const id = input[name]
      if (typeof id === 'string') return `arn:aws:ec2:*:*:${type}/${id}`
    }
    return undefined
  },
})
