import type {
  AssociateNatGatewayAddressRequest,
  AssociateNatGatewayAddressResult,
  DisassociateNatGatewayAddressRequest,
  DisassociateNatGatewayAddressResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { associationOf } from '../addresses/association.ts'
import type { Ec2 } from '../core/context.ts'
import { find, isVisible } from '../core/describe/find.ts'
import { invalidParameter } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import type { Address, NatGateway, NatGatewayAddress, NetworkInterface } from '../rows/network.ts'
import { freeIpv4 } from '../subnets/free-addresses.ts'
import { natGatewayState } from './nat-state.ts'
import { isPrimary, natAddressesView, presentAddresses } from './view.ts'

/** Returns an elastic address that no interface uses. */
export const freeAddress = (ec2: Ec2, id: string | undefined): Address => {
  const row = ec2.tables.addresses.get(id ?? '')
  // Only NAT gateways return this code (seen as `InvalidElasticIpID.NotFound: The elasticIp ID … does not exist`).
  if (!row || !isVisible(ec2, row)) {
    throw refuse('InvalidElasticIpID.NotFound', `The elasticIp ID '${id}' does not exist`)
  }
  if (associationOf(ec2, row)) {
    throw refuse('Resource.AlreadyAssociated', `Elastic IP address [${row.id}] is already associated`)
  }
  return row
}

/**
 * Associates an elastic address with a private one of the gateway's interface. A private gateway has no elastic one.
 */
export const associateAddress = (
  ec2: Ec2,
  { id: networkInterfaceId }: NetworkInterface,
  privateIp: string,
  address: Address | undefined,
): NatGatewayAddress => {
  if (address === undefined) return { networkInterfaceId, privateIp }
  const associationId = ec2.newId('eipassoc')
  ec2.tables.addresses.put({ ...address, association: { id: associationId, networkInterfaceId, privateIp } })
  return {
    allocationId: address.id,
    associationId,
    networkInterfaceId,
    privateIp,
    publicIp: address.publicIp,
  }
}

const available = (ec2: Ec2, id: string | undefined): NatGateway => {
  const row = find(ec2, 'natGateways', id)
  const state = natGatewayState(ec2, row)
  if (state === 'available') return row
  throw refuse('IncorrectState', `The NAT gateway ${row.id} is not in the state available, but ${state}`)
}

/** Adds secondary addresses. Each gets its own private address on the interface of the gateway. */
const associate = (ec2: Ec2, row: NatGateway, ids: readonly string[]): readonly NatGatewayAddress[] => {
  const own = find(ec2, 'networkInterfaces', row.addresses[0]?.networkInterfaceId)
  const addresses = ids.map(id => freeAddress(ec2, id))
  const privateIps = freeIpv4(ec2, find(ec2, 'subnets', row.subnetId), ids.length)
  ec2.tables.networkInterfaces.put({ ...own, ipv4: [...own.ipv4, ...privateIps] })
  return addresses.map((address, index) => ({
    ...associateAddress(ec2, own, privateIps[index] ?? '', address),
    since: ec2.now,
  }))
}

export const natAddressOperations = {
  AssociateNatGatewayAddress: operation<AssociateNatGatewayAddressRequest, AssociateNatGatewayAddressResult>(
    { NatGatewayId: true, AllocationIds: true },
    (input, ec2) => {
      const row = available(ec2, input.NatGatewayId)
      const added = associate(ec2, row, input.AllocationIds ?? [])
      const changed = { ...row, addresses: [...presentAddresses(ec2, row), ...added] }
      ec2.tables.natGateways.put(changed)
      return { NatGatewayId: row.id, NatGatewayAddresses: natAddressesView(ec2, changed) }
    },
  ),
  DisassociateNatGatewayAddress: operation<
    DisassociateNatGatewayAddressRequest,
    DisassociateNatGatewayAddressResult
  >({ NatGatewayId: true, AssociationIds: true, MaxDrainDurationSeconds: true }, (input, ec2) => {
    const row = available(ec2, input.NatGatewayId)
    const { natAddressDrained } = ec2.durations
    const { MaxDrainDurationSeconds: most = natAddressDrained } = input
    const until = ec2.now + Math.min(natAddressDrained, most * 1_000)
    const present = presentAddresses(ec2, row)
    const going = (input.AssociationIds ?? []).map(id => {
      const address = present.find(({ associationId }) => associationId === id)
      // "You cannot disassociate your primary EIP" (DisassociateNatGatewayAddress, API reference).
      if (address === undefined || isPrimary(address))
        throw invalidParameter('associationId', id, 'It is no secondary address of the NAT gateway.')
      return address
    })
    for (const { allocationId = '' } of going) {
      const address = ec2.tables.addresses.get(allocationId)
      if (address?.association)
        ec2.tables.addresses.put({ ...address, association: { ...address.association, until } })
    }
    const addresses = present.map(address => (going.includes(address) ? { ...address, until } : address))
    const changed = { ...row, addresses }
    ec2.tables.natGateways.put(changed)
    return { NatGatewayId: row.id, NatGatewayAddresses: natAddressesView(ec2, changed) }
  }),
}
