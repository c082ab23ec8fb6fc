import type { Problem } from '../../../../shared/contract/problems.ts'
import type { Read, State } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { InfrastructureConfig } from '../config/config.ts'
import { updateProblems } from '../config/problems/update-problems.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import { appliedConfig } from './applied-config.ts'

export interface ChangeInput {
  readonly desired: DesiredInfrastructure
  readonly state: State
  readonly config: InfrastructureConfig
  /** Those that the plan is made with: it costs no read beside them. */
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
}

/**
 * What of a config differs from the one that was applied last, and cannot be changed
 * (docs/contract/provider-aws.md#rules-for-the-config): without an admission nobody else would keep such a change
 * from replacing what is in use.
 */
export const changeProblems = async ({
  desired,
  state,
  config,
  reads,
  read,
}: ChangeInput): Promise<readonly Problem[]> => {
  // Nothing has been made.
  if (!Object.values(state).some(value => /^[a-z]+-[0-9a-f]+$/.test(value))) return []
  const [vpcs, subnets, groups] = await Promise.all([
    read(reads.vpcs),
    read(reads.subnets),
    read(reads.securityGroups),
  ])
  return updateProblems(appliedConfig({ desired, state, config, vpcs, subnets, groups }), config)
}
