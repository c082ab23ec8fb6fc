import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { Call } from '../service.ts'
import { createContext, type Ec2, resolveSettings } from './core/context.ts'
import { ec2Owner } from './core/model.ts'
import { heldByService } from './network-interfaces/held-by-service.ts'
import { newInterface } from './network-interfaces/new-interface.ts'
import { nextPublicAddress } from './public-addresses.ts'
import type { NetworkInterface } from './rows/network.ts'

/*
 * The EC2 functions for other services. Load balancers, mount targets and interface endpoints have network interfaces
 * in the user's subnets; these block the deletion of the subnets and their security groups.
 */

/** Returns EC2 of the caller's account and region, for another service. */
export const ec2Of = (
  call: Pick<Call<object>, 'stateOf' | 'principal' | 'region' | 'clock' | 'newId' | 'endpoint'>,
): Ec2 =>
  createContext(
    {
      state: call.stateOf(ec2Owner),
      region: call.region,
      clock: call.clock,
      newId: call.newId,
      ...(call.endpoint && { endpoint: call.endpoint }),
      accountId: call.principal.accountId,
    },
    resolveSettings({}),
  )

export interface ServiceInterface {
  readonly subnetId: string
  /** Absent or empty: the VPC's default group. */
  readonly groupIds?: readonly string[] | undefined
  /** Examples: `ELB app/name/50dc6c495c0c9188`, `EFS mount target for fs-1 (fsmt-1)`. */
  readonly description: string
  /** The type in DescribeNetworkInterfaces: `interface`, `network_load_balancer`, … Default: `interface`. */
  readonly type?: string
  /** The service that creates it: `amazon-elb`, `amazon-elasticfilesystem`. */
  readonly requester: string
  /** If true, the interface gets an address of Amazon's pool. */
  readonly isPublic?: boolean
  /** Number of IPv6 addresses. Default: 0. */
  readonly ipv6Count?: number
  readonly privateIp?: string | undefined
}

/**
 * Creates an interface that belongs to another service. Users can neither detach nor delete it.
 *
 * @throws AwsError in EC2's words if the subnet or a group does not exist, or the subnet is full
 */
export const createServiceInterface = (ec2: Ec2, wanted: ServiceInterface): NetworkInterface => {
  const subnet = ec2.tables.subnets.get(wanted.subnetId)
  if (!subnet) throw new TypeError(`an interface for ${wanted.requester} in the unknown ${wanted.subnetId}`)
  return newInterface(ec2, {
    subnet,
    groupIds: wanted.groupIds,
    description: wanted.description,
    type: wanted.type,
    ipv4: wanted.privateIp === undefined ? undefined : [wanted.privateIp],
    ipv6Count: wanted.ipv6Count ?? 0,
    requester: wanted.requester,
    attachment: heldByService(ec2, wanted.requester),
    publicIp: wanted.isPublic ? nextPublicAddress(ec2) : undefined,
  })
}

/**
 * Deletes a service's interface now or at a later time. Load balancers leave theirs behind for minutes. Until then it
 * blocks its subnet and groups.
 */
export const deleteServiceInterface = (ec2: Ec2, id: string, at: Timestamp = ec2.now): void => {
  const row = ec2.tables.networkInterfaces.get(id)
  if (!row) return
  if (at <= ec2.now) ec2.tables.networkInterfaces.remove(id)
  else ec2.tables.networkInterfaces.put({ ...row, goneAt: at })
}

/** Replaces the groups of a service's interface. */
export const setServiceInterfaceGroups = (ec2: Ec2, id: string, groupIds: readonly string[]): void => {
  const row = ec2.tables.networkInterfaces.get(id)
  if (row) ec2.tables.networkInterfaces.put({ ...row, groupIds })
}
