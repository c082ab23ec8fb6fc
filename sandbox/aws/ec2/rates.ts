import type { Rate, Rates } from '../faults/throttle.ts'

const reads: Rate = { burst: 100, perSecond: 20 }
const writes: Rate = { burst: 50, perSecond: 5 }
const heavyWrites: Rate = { burst: 100, perSecond: 5 }
const gatewayWrites: Rate = { burst: 10, perSecond: 1 }
const endpointWrites: Rate = { burst: 4, perSecond: 0.3 }
const launches: Rate = { burst: 5, perSecond: 2 }
const tagWrites: Rate = { burst: 100, perSecond: 10 }
const reservationWrites: Rate = { burst: 5, perSecond: 1 }

/** The actions with a rate of their own. */
const uncategorized: Readonly<Record<string, Rate>> = {
  AssignIpv6Addresses: heavyWrites,
  CreateNatGateway: gatewayWrites,
  CreateNetworkInterface: heavyWrites,
  CreateSubnetCidrReservation: reservationWrites,
  CreateTags: tagWrites,
  CreateVolume: heavyWrites,
  CreateVpcEndpoint: endpointWrites,
  DeleteNatGateway: gatewayWrites,
  DeleteNetworkInterface: heavyWrites,
  DeleteSubnetCidrReservation: reservationWrites,
  DeleteTags: tagWrites,
  DeleteVolume: heavyWrites,
  DeleteVpcEndpoints: endpointWrites,
  ModifyNetworkInterfaceAttribute: heavyWrites,
  ModifyVpcEndpoint: endpointWrites,
  RunInstances: launches,
  StartInstances: launches,
  TerminateInstances: heavyWrites,
}

const rateOf = (action: string): Rate =>
  uncategorized[action] ?? (/^(?:Describe|Get)/.test(action) ? reads : writes)

/**
 * The request rates of an account for each of the given actions ("Request throttling for the Amazon EC2 API").
 * Not among them: the smaller bucket of lists without filter and page, and the buckets that count instances.
 */
export const requestRates = (actions: readonly string[]): Rates =>
  Object.fromEntries(actions.map(action => [`ec2:${action}`, rateOf(action)]))
