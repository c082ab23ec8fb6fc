import type { Ec2 } from '../core/context.ts'
import type { Address, AddressAssociation, NetworkInterface } from '../rows/network.ts'

/** Returns the association of an address. Undefined as soon as it ends or the interface is deleted. */
export const associationOf = (ec2: Ec2, { association }: Address): AddressAssociation | undefined =>
  association &&
  (association.until === undefined || ec2.now < association.until) &&
  ec2.tables.networkInterfaces.get(association.networkInterfaceId)
    ? association
    : undefined

/** Returns the elastic address that is associated with a private address of an interface. */
export const elasticAddressOf = (
  ec2: Ec2,
  row: NetworkInterface,
  privateIp: string,
): (Address & { readonly association: AddressAssociation }) | undefined => {
  for (const address of ec2.tables.addresses.by('network-interface-id', row.id)) {
    const association = associationOf(ec2, address)
    if (association?.privateIp === privateIp) return { ...address, association }
  }
  return undefined
}
