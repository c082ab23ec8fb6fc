import { addressBehaviours } from './addresses.ts'
import { dhcpOptionsBehaviours } from './dhcp-options.ts'
import { endpointBehaviours } from './endpoints.ts'
import { gatewayBehaviours } from './gateways.ts'
import { instanceBehaviours } from './instances.ts'
import { keyPairBehaviours } from './key-pairs.ts'
import { listBehaviours } from './lists.ts'
import { natGatewayBehaviours } from './nat-gateways.ts'
import { networkInterfaceBehaviours } from './network-interfaces.ts'
import { routeTableBehaviours } from './route-tables.ts'
import { securityGroupBehaviours } from './security-groups.ts'
import { subnetBehaviours } from './subnets.ts'
import { tagBehaviours } from './tags.ts'
import { volumeBehaviours } from './volumes.ts'
import { vpcBehaviours } from './vpcs.ts'

/** The parts of EC2 that infrastructure and machines need. */
export const ec2Behaviours = [
  { service: 'EC2: VPCs', behaviours: vpcBehaviours },
  { service: 'EC2: subnets', behaviours: subnetBehaviours },
  { service: 'EC2: route tables', behaviours: routeTableBehaviours },
  { service: 'EC2: gateways', behaviours: gatewayBehaviours },
  { service: 'EC2: NAT gateways', behaviours: natGatewayBehaviours },
  { service: 'EC2: addresses', behaviours: addressBehaviours },
  { service: 'EC2: security groups', behaviours: securityGroupBehaviours },
  { service: 'EC2: endpoints', behaviours: endpointBehaviours },
  { service: 'EC2: DHCP options', behaviours: dhcpOptionsBehaviours },
  { service: 'EC2: tags', behaviours: tagBehaviours },
  { service: 'EC2: lists', behaviours: listBehaviours },
  { service: 'EC2: key pairs', behaviours: keyPairBehaviours },
  { service: 'EC2: instances', behaviours: instanceBehaviours },
  { service: 'EC2: volumes', behaviours: volumeBehaviours },
  { service: 'EC2: network interfaces', behaviours: networkInterfaceBehaviours },
]
