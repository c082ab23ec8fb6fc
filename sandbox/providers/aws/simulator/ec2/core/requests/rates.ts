import type { Counted, Rate, Rates } from '../../../faults/rates.ts'

/* Source of all rates: "Request throttling for the Amazon EC2 API", EC2 developer guide. */

const reads: Rate = { burst: 100, perSecond: 20 }
const writes: Rate = { burst: 50, perSecond: 5 }
const heavyWrites: Rate = { burst: 100, perSecond: 5 }
const gatewayWrites: Rate = { burst: 10, perSecond: 1 }
const endpointWrites: Rate = { burst: 4, perSecond: 0.3 }
const launches: Rate = { burst: 5, perSecond: 2 }
const tagWrites: Rate = { burst: 100, perSecond: 10 }
const reservationWrites: Rate = { burst: 5, perSecond: 1 }

/** The actions with their own rate. */
const uncategorized: Readonly<Record<string, Rate>> = {
  AssignIpv6Addresses: heavyWrites,
  CreateNatGateway: gatewayWrites,
  CreateSubnetCidrReservation: reservationWrites,
  CreateTags: tagWrites,
  CreateVpcEndpoint: endpointWrites,
  DeleteNatGateway: gatewayWrites,
  DeleteSubnetCidrReservation: reservationWrites,
  DeleteTags: tagWrites,
  DeleteVpcEndpoints: endpointWrites,
  ModifyNetworkInterfaceAttribute: heavyWrites,
  ModifyVpcEndpoint: endpointWrites,
  RunInstances: launches,
  TerminateInstances: heavyWrites,
}

const rateOf = (action: string): Rate =>
  uncategorized[action] ?? (/^(?:Describe|Get)/.test(action) ? reads : writes)

/** Lists that use a smaller bucket if a request has no ids, filters or page size. */
const wideLists = [
  'DescribeInstances',
  'DescribeNetworkInterfaces',
  'DescribeSecurityGroups',
  'DescribeVolumes',
]
const wideReads: Rate = { burst: 50, perSecond: 10 }

/**
 * Actions that are also limited by their number of instances (same page, "Resource token limits"; only RunInstances was
 * looked up).
 */
const instanceRates: Readonly<Record<string, Rate>> = {
  RunInstances: { burst: 1000, perSecond: 2 },
  StopInstances: { burst: 1000, perSecond: 20 },
  TerminateInstances: { burst: 1000, perSecond: 20 },
}

const withSuffix = (suffix: string, entries: readonly (readonly [string, Rate])[]): Rates =>
  Object.fromEntries(entries.map(([action, rate]) => [`ec2:${action}${suffix}`, rate]))

/** Returns the request rates of an account in a region for each of the given actions. */
export const requestRates = (actions: readonly string[]): Rates => ({
  ...withSuffix(
    '',
    actions.map(action => [action, rateOf(action)]),
  ),
  ...withSuffix(
    '/wide',
    wideLists.map(action => [action, wideReads]),
  ),
  ...withSuffix('/instances', Object.entries(instanceRates)),
})

const isWide = (input: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(input).every(
    ([name, value]) => !/^(?:Filters|MaxResults|\w+Ids|GroupNames)$/.test(name) || value === undefined,
  )

/** Returns the tokens that a call takes from buckets other than its action's. */
export const countedOf = (action: string, input: Readonly<Record<string, unknown>>): Counted => {
  if (wideLists.includes(action)) return isWide(input) ? { [`ec2:${action}/wide`]: 1 } : {}
  if (!Object.hasOwn(instanceRates, action)) return {}
  const { MaxCount, InstanceIds } = input
  const count = Array.isArray(InstanceIds) ? InstanceIds.length : MaxCount
  return { [`ec2:${action}/instances`]: typeof count === 'number' ? count : 1 }
}
