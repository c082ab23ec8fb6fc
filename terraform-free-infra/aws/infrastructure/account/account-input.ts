import type { Timestamp } from '../../../../shared/clock/clock.ts'
import type { Read, State } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { InfrastructureConfig } from '../config/config.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { SubnetKind } from '../tags.ts'

export interface AccountInput {
  readonly cloud: AwsCloud
  readonly signal: AbortSignal
  /** The reads of the plan, made by the reader of its step. Shared reads cost one request. */
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
  /** The state of this reader. */
  readonly state: State
  readonly now: Timestamp
  /** A config without problems of its own. */
  readonly config: InfrastructureConfig
  readonly desired: DesiredInfrastructure
  /** The technical id of the shoot. */
  readonly clusterName: string
  /** True if the shoot has the IP family IPv6 or the config requests it. */
  readonly ipv6: boolean
  /** The CIDR of the shoot's nodes. */
  readonly nodes: string | undefined
  /** Returns true if a subnet with the IPv4 CIDR of the config does not exist yet. */
  readonly isMissing: (zone: string, kind: SubnetKind) => boolean
}
