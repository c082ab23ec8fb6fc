import type {
  Address as AddressOut,
  AllocateAddressRequest,
  AllocateAddressResult,
  DescribeAddressesRequest,
  DescribeAddressesResult,
  ReleaseAddressRequest,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { find } from '../core/describe/find.ts'
import { listRows, seen } from '../core/describe/list.ts'
import { checkLimit } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import { nextPublicAddress } from '../public-addresses.ts'
import type { Address } from '../rows/network.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'
import { associationOf } from './association.ts'

const instanceOf = (ec2: Ec2, interfaceId: string): string | undefined =>
  ec2.tables.networkInterfaces.get(interfaceId)?.attachment?.instanceId

const view = (ec2: Ec2, row: Address): AddressOut => {
  const association = associationOf(ec2, row)
  const holder = association && ec2.tables.networkInterfaces.get(association.networkInterfaceId)
  return {
    AllocationId: row.id,
    PublicIp: row.publicIp,
    Domain: 'vpc',
    PublicIpv4Pool: 'amazon',
    NetworkBorderGroup: ec2.region,
    ...(association
      ? {
          AssociationId: association.id,
          NetworkInterfaceId: association.networkInterfaceId,
          NetworkInterfaceOwnerId: ec2.accountId,
          PrivateIpAddress: association.privateIp,
          InstanceId: holder?.attachment?.instanceId ?? '',
          SubnetId: holder?.subnetId,
        }
      : {}),
    Tags: tagsOut(row.tags),
  }
}

const fields = (ec2: Ec2): FilterFields<Address> => ({
  'allocation-id': row => row.id,
  'association-id': row => associationOf(ec2, row)?.id,
  domain: () => 'vpc',
  'instance-id': row => instanceOf(ec2, associationOf(ec2, row)?.networkInterfaceId ?? ''),
  'network-border-group': () => ec2.region,
  'network-interface-id': row => associationOf(ec2, row)?.networkInterfaceId,
  'network-interface-owner-id': row => (associationOf(ec2, row) ? ec2.accountId : undefined),
  'private-ip-address': row => associationOf(ec2, row)?.privateIp,
  'public-ip': row => row.publicIp,
})

/** Returns the address with the given public IP, as a describing call sees it. */
const byPublicIp = (ec2: Ec2, publicIp: string): Address => {
  const rows = seen(ec2, 'addresses', ec2.tables.addresses.by('public-ip', publicIp))
  const row = rows.find(each => each.publicIp === publicIp)
  if (!row) throw refuse('InvalidAddress.NotFound', `Address '${publicIp}' not found.`)
  return row
}

/** Returns true if the interface with the address belongs to a service. Then only that service can disassociate it. */
export const isHeldByService = (ec2: Ec2, row: Address): boolean => {
  const association = associationOf(ec2, row)
  return ec2.tables.networkInterfaces.get(association?.networkInterfaceId ?? '')?.requester !== undefined
}

/** The error for users who change an address of a NAT gateway or load balancer. */
export const notYours = () =>
  refuse('AuthFailure', 'You do not have permission to access the specified resource.', { status: 400 })

export const addressOperations = {
  AllocateAddress: operation<AllocateAddressRequest, AllocateAddressResult>(
    { Domain: true, NetworkBorderGroup: true, PublicIpv4Pool: true, TagSpecifications: acceptsTags },
    (input, ec2) => {
      if (input.PublicIpv4Pool !== undefined && input.PublicIpv4Pool !== 'amazon') {
        throw refuse(
          'InvalidPublicIpv4PoolID.NotFound',
          `The pool ID '${input.PublicIpv4Pool}' does not exist.`,
        )
      }
      const tags = newTags(input.TagSpecifications, 'elastic-ip')
      checkLimit(ec2.tables.addresses.size, ec2.limits.addresses, () =>
        refuse('AddressLimitExceeded', 'The maximum number of addresses has been reached.'),
      )
      const row: Address = { ...ec2.newResource('eipalloc', tags), publicIp: nextPublicAddress(ec2) }
      ec2.tables.addresses.put(row)
      return {
        AllocationId: row.id,
        PublicIp: row.publicIp,
        PublicIpv4Pool: 'amazon',
        NetworkBorderGroup: ec2.region,
        Domain: 'vpc',
      }
    },
  ),
  DescribeAddresses: operation<DescribeAddressesRequest, DescribeAddressesResult>(
    { AllocationIds: true, PublicIps: true, Filters: true },
    (input, ec2) => {
      const ids = [
        ...(input.AllocationIds ?? []),
        ...(input.PublicIps ?? []).map(publicIp => byPublicIp(ec2, publicIp).id),
      ]
      const { items } = listRows(ec2, 'addresses', fields(ec2), { ids, filters: input.Filters })
      return { Addresses: items.map(row => view(ec2, row)) }
    },
  ),
  ReleaseAddress: operation<ReleaseAddressRequest, object>(
    { AllocationId: true, PublicIp: true, NetworkBorderGroup: true },
    (input, ec2) => {
      const row = find(ec2, 'addresses', input.AllocationId)
      if (isHeldByService(ec2, row)) throw notYours()
      if (associationOf(ec2, row)) {
        throw refuse('InvalidIPAddress.InUse', `Address ${row.publicIp} is in use.`)
      }
      ec2.tables.addresses.remove(row.id)
      return {}
    },
  ),
}
