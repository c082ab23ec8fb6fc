import type { NatGatewayAddress as AddressOut, NatGateway as NatGatewayOut } from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import type { NatGateway, NatGatewayAddress } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { type NatState, natGatewayState } from './nat-state.ts'

/** Returns the address. Its interface is shown only once the gateway is available. */
const addressView = (address: NatGatewayAddress, state: NatState): AddressOut => {
  const base = { AllocationId: address.allocationId, IsPrimary: true }
  if (state === 'pending') return { ...base, Status: 'associating' }
  if (state === 'failed') return { ...base, Status: 'failed' }
  return {
    ...base,
    AssociationId: address.associationId,
    NetworkInterfaceId: address.networkInterfaceId,
    PrivateIp: address.privateIp,
    PublicIp: address.publicIp,
    Status: state === 'available' ? 'succeeded' : 'disassociating',
  }
}

export const natGatewayView = (ec2: Ec2, row: NatGateway): NatGatewayOut => {
  const state = natGatewayState(ec2, row)
  const failed = state === 'failed' && row.failure
  return {
    NatGatewayId: row.id,
    VpcId: row.vpcId,
    SubnetId: row.subnetId,
    State: state,
    ConnectivityType: row.connectivity,
    AvailabilityMode: 'zonal',
    CreateTime: new Date(row.createdAt),
    ...(row.deletedAt === undefined ? {} : { DeleteTime: new Date(row.deletedAt) }),
    ...(failed ? { FailureCode: failed.code, FailureMessage: failed.message } : {}),
    NatGatewayAddresses: row.addresses.map(address => addressView(address, state)),
    Tags: tagsOut(row.tags),
  }
}

export const natGatewayFields = (ec2: Ec2): FilterFields<NatGateway> => ({
  'nat-gateway-id': row => row.id,
  state: row => natGatewayState(ec2, row),
  'subnet-id': row => row.subnetId,
  'vpc-id': row => row.vpcId,
})
