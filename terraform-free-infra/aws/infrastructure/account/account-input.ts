import type { Read, State } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { InfrastructureConfig } from '../config/config.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { SubnetKind } from '../network/subnets/subnet-kinds.ts'

/** What a check of the user's account goes by. */
export interface AccountInput {
  readonly cloud: AwsCloud
  readonly signal: AbortSignal
  /** Those that the plan is made with, read by the reader of its step: what both go by costs one read. */
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
  /** The one that this reader was made with. */
  readonly state: State
  /** Without problems of its own. */
  readonly config: InfrastructureConfig
  readonly desired: DesiredInfrastructure
  /** The technical id of the shoot. */
  readonly clusterName: string
  /** The shoot has the IP family IPv6, or the config asks for it. */
  readonly ipv6: boolean
  /** CIDR of the shoot's nodes. */
  readonly nodes: string | undefined
  /** Whether a subnet with the IPv4 CIDR of the config has still to be made. */
  readonly isMissing: (zone: string, kind: SubnetKind) => boolean
}
