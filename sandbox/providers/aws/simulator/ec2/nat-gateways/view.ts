import type {
  NatGatewayAddress as AddressOut,
  NatGatewayAddressStatus,
  NatGateway as NatGatewayOut,
} from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import type { NatGateway, NatGatewayAddress } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { type NatState, natGatewayState } from './nat-state.ts'

/** Returns the status of an address ("NatGatewayAddress", API reference). */
const statusOf = (
  { now, durations }: Ec2,
  { createdAt }: NatGateway,
  { since, until }: NatGatewayAddress,
  state: NatState,
): NatGatewayAddressStatus => {
  if (state === 'failed') return 'failed'
  if (state === 'deleting' || state === 'deleted' || until !== undefined) return 'disassociating'
  if (state === 'pending') return 'associating'
  const associated =
    since === undefined
      ? createdAt + durations.natGatewayAvailable + durations.natAddressShown
      : since + durations.natAddressAssociated
  return now < associated ? 'associating' : 'succeeded'
}

/**
 * Returns the address. Its interface is shown only once the gateway is available, and its address once it is
 * associated.
 */
const addressView = (ec2: Ec2, row: NatGateway, address: NatGatewayAddress, state: NatState): AddressOut => {
  const Status = statusOf(ec2, row, address, state)
  const base = { AllocationId: address.allocationId, IsPrimary: isPrimary(address), Status }
  if (Status === 'associating' || Status === 'failed') return base
  return {
    ...base,
    AssociationId: address.associationId,
    NetworkInterfaceId: address.networkInterfaceId,
    PrivateIp: address.privateIp,
    PublicIp: address.publicIp,
  }
}

/**
 * Returns the addresses that are associated now, or are being associated or disassociated. AWS documents no order, so a
 * secondary address may come first.
 */
export const presentAddresses = ({ now }: Ec2, { addresses }: NatGateway): readonly NatGatewayAddress[] =>
  addresses
    .filter(({ until }) => until === undefined || now < until)
    .sort((one, other) => ((one.allocationId ?? '') < (other.allocationId ?? '') ? -1 : 1))

export const isPrimary = ({ since }: NatGatewayAddress): boolean => since === undefined

export const natAddressesView = (ec2: Ec2, row: NatGateway): AddressOut[] =>
  presentAddresses(ec2, row).map(address => addressView(ec2, row, address, natGatewayState(ec2, row)))

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
    NatGatewayAddresses: natAddressesView(ec2, row),
    Tags: tagsOut(row.tags),
  }
}

export const natGatewayFields = (ec2: Ec2): FilterFields<NatGateway> => ({
  'nat-gateway-id': row => row.id,
  state: row => natGatewayState(ec2, row),
  'subnet-id': row => row.subnetId,
  'vpc-id': row => row.vpcId,
})
