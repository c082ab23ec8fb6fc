/** Neutron: networks, and what connects them. */

import type { ResourceKind } from '../core/kind.ts'
import { floatingIps } from './floating-ips.ts'
import { networks } from './networks.ts'
import { ports } from './ports.ts'
import { routers } from './routers.ts'
import { securityGroupRules, securityGroups } from './security-groups.ts'
import { subnetPools, subnets } from './subnets.ts'

export { activate, createServicePort } from './ports.ts'
export { networkOf } from './refusals.ts'

export const networkKinds: readonly ResourceKind[] = [
  networks,
  subnets,
  subnetPools,
  ports,
  routers,
  floatingIps,
  securityGroups,
  securityGroupRules,
]
