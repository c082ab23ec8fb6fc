import type {
  Action,
  CreateListenerInput,
  CreateTargetGroupInput,
  IpAddressType,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { Placement } from '../elb/placement.ts'
import type { ElbTag } from '../elb/tags.ts'

/* ELBv2's state of an account in a region: plain JSON data. */

export interface LoadBalancer extends Placement {
  readonly arn: string
  readonly name: string
  readonly type: 'application' | 'network' | 'gateway'
  readonly scheme: 'internet-facing' | 'internal'
  readonly ipAddressType: IpAddressType
  readonly dnsName: string
  readonly createdAt: Timestamp
  readonly interfaceIds: readonly string[]
  groupIds: readonly string[]
  tags: readonly ElbTag[]
}

export interface TargetGroup {
  readonly arn: string
  readonly name: string
  /** The parameters of its creation. */
  readonly settings: Pick<CreateTargetGroupInput, 'Protocol' | 'Port' | 'VpcId' | 'TargetType'>
  tags: readonly ElbTag[]
}

export interface Listener {
  readonly arn: string
  readonly loadBalancerArn: string
  readonly settings: Pick<CreateListenerInput, 'Protocol' | 'Port'>
  readonly actions: readonly Action[]
  tags: readonly ElbTag[]
}

export interface Elbv2State {
  /** Each list is in order of creation. */
  loadBalancers: readonly LoadBalancer[]
  targetGroups: readonly TargetGroup[]
  listeners: readonly Listener[]
}

export const emptyState = (): Elbv2State => ({ loadBalancers: [], targetGroups: [], listeners: [] })
