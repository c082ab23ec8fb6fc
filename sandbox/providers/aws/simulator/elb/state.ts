import type { Listener } from '@aws-sdk/client-elastic-load-balancing'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { Placement } from './placement.ts'
import type { ElbTag } from './tags.ts'

/** A classic load balancer. Plain JSON data, like all state of the simulator. */
export interface ClassicLoadBalancer extends Placement {
  readonly name: string
  readonly dnsName: string
  readonly createdAt: Timestamp
  readonly scheme: 'internet-facing' | 'internal'
  readonly interfaceIds: readonly string[]
  listeners: readonly Listener[]
  groupIds: readonly string[]
  tags: readonly ElbTag[]
}

export interface ElbState {
  /** In order of creation. */
  loadBalancers: readonly ClassicLoadBalancer[]
}

export const emptyState = (): ElbState => ({ loadBalancers: [] })
