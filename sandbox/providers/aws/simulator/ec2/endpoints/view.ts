import type { VpcEndpoint as VpcEndpointOut } from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { groupIdentifiers } from '../network-interfaces/view.ts'
import type { VpcEndpoint } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { endpointState } from './endpoint-state.ts'

/** Returns `vpce-1-abcd.ec2.eu-west-1.vpce.amazonaws.com`, and one such name for each zone. */
const dnsNames = (ec2: Ec2, row: VpcEndpoint): readonly string[] => {
  const service = row.serviceName.replace(`com.amazonaws.${ec2.region}.`, '')
  const domain = `${service.split('.').reverse().join('.')}.${ec2.region}.vpce.amazonaws.com`
  const label = `${row.id}-${row.id.slice(-8)}`
  const zones = row.subnetIds.flatMap(id => ec2.tables.subnets.get(id)?.zone ?? [])
  return [`${label}.${domain}`, ...zones.map(zone => `${label}-${zone}.${domain}`)]
}

export const endpointView = (ec2: Ec2, row: VpcEndpoint): VpcEndpointOut => ({
  VpcEndpointId: row.id,
  VpcEndpointType: row.type,
  VpcId: row.vpcId,
  ServiceName: row.serviceName,
  ServiceRegion: ec2.region,
  // EC2 writes states in lower case, unlike the list in the API reference.
  State: endpointState(ec2, row) as 'Available',
  PolicyDocument: row.policy,
  RouteTableIds: [...row.routeTableIds],
  SubnetIds: [...row.subnetIds],
  Groups: groupIdentifiers(ec2, row.groupIds),
  IpAddressType: row.ipAddressType,
  DnsOptions: { DnsRecordIpType: row.dnsRecordIpType as 'ipv4' },
  PrivateDnsEnabled: row.privateDns,
  RequesterManaged: false,
  NetworkInterfaceIds: [...row.networkInterfaceIds],
  DnsEntries:
    row.type === 'Interface'
      ? dnsNames(ec2, row).map(DnsName => ({ DnsName, HostedZoneId: 'Z38GZ743OKFT7T' }))
      : [],
  CreationTimestamp: new Date(row.createdAt),
  OwnerId: ec2.accountId,
  Tags: tagsOut(row.tags),
})

export const endpointFields = (ec2: Ec2): FilterFields<VpcEndpoint> => ({
  'ip-address-type': row => row.ipAddressType,
  'service-name': row => row.serviceName,
  'service-region': () => ec2.region,
  'vpc-endpoint-id': row => row.id,
  'vpc-endpoint-state': row => endpointState(ec2, row),
  'vpc-endpoint-type': row => row.type,
  'vpc-id': row => row.vpcId,
})
