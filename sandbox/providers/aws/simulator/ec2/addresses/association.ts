import type { Ec2 } from '../core/context.ts'
import type { Address, AddressAssociation, NetworkInterface } from '../rows/network.ts'

/** Returns the association of an address. Undefined as soon as the interface is deleted. */
export const associationOf = (ec2: Ec2, address: Address): AddressAssociation | undefined =>
  address.association && ec2.tables.networkInterfaces.get(address.association.networkInterfaceId)
    ? address.association
    : undefined

/** Returns the elastic address that is associated with a private address of an interface. */
export const elasticAddressOf = (
  ec2: Ec2,
  row: NetworkInterface,
  privateIp: string,
): (Address & { readonly association: AddressAssociation }) | undefined => {
  for (const address of ec2.tables.addresses.by('network-interface-id', row.id)) {
    const { association } = address
    if (association?.privateIp === privateIp) return { ...address, association }
  }
  return undefined
}
