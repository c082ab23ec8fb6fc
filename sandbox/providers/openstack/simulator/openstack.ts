/** A simulated OpenStack: Keystone, Neutron, Nova, Glance, Designate, Swift, Octavia and Manila's share networks. */

export { cloudCallOf, type RestCall } from './calls.ts'
export type { QuotaName } from './core/context.ts'
export type { CloudItem, ItemKind, ItemTypes } from './core/items.ts'
export type { AwkwardLists } from './core/lists.ts'
export type { ServiceName } from './core/message.ts'
export {
  type AddOptions,
  createOpenStack,
  type ObservedRequest,
  type OpenStackOptions,
  type OpenStackState,
  type SimulatedOpenStack,
} from './create-openstack.ts'
export type { CloudFaultOrder } from './faults.ts'
export { addOperatorContent, addZones, imageId, imageName, zoneIdOf, zoneNames } from './furnish.ts'
export { applicationCredential, domain, projectIdOf, userIdOf } from './identity/people.ts'
export { machineDriver } from './machines.ts'
export { placeOfUrl } from './serve/place-of.ts'
