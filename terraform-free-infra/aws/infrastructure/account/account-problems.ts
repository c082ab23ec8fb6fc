import type { Problem } from '../../../../shared/contract/problems.ts'
import type { Read, State } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { InfrastructureConfig } from '../config/config.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { SubnetKind } from '../network/subnet-kinds.ts'
import { addressProblems } from './address-problems.ts'
import { ownSubnetProblems } from './own-subnet-problems.ts'
import { securityGroupProblems } from './security-group-problems.ts'
import { taggedSubnetProblems } from './tagged-subnet-problems.ts'
import { takenRangeProblems } from './taken-range-problems.ts'
import { vpcProblems } from './vpc-problems.ts'

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
  /** Of the Infrastructure object: what carries its mark is ours. */
  readonly uid: string
  /** The technical id of the shoot. */
  readonly clusterName: string
  /** The shoot has the IP family IPv6, or the config asks for it. */
  readonly ipv6: boolean
  /** CIDR of the shoot's nodes. */
  readonly nodes: string | undefined
  /** Whether a subnet with the IPv4 CIDR of the config has still to be made. */
  readonly isMissing: (zone: string, kind: SubnetKind) => boolean
}

/**
 * What is wrong with that of the user's account which the config names
 * (docs/contract/provider-aws.md#checks-in-the-account), in at most one read for each type of resource beside those
 * of the plan, whatever the number of zones. A VPC and addresses that are made cost no read at all.
 */
export const accountProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const [vpc, ...others] = await Promise.all([
    vpcProblems(input),
    ownSubnetProblems(input),
    securityGroupProblems(input),
    taggedSubnetProblems(input),
    takenRangeProblems(input),
    addressProblems(input),
  ])
  return [...vpc, ...others.flat()]
}
