import type { Problem } from '../../../../shared/decode/problems.ts'
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
  /** The reads of the plan. This check adds no read to them. */
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
}

/**
 * Returns the differences to the last applied config that are not allowed
 * (docs/contract/provider-aws.md#rules-for-the-config). Without admission, only this check prevents such a change from
 * replacing resources in use.
 */
export const changeProblems = async ({
  desired,
  state,
  config,
  reads,
  read,
}: ChangeInput): Promise<readonly Problem[]> => {
  // Nothing was created yet.
  if (!Object.values(state).some(value => /^[a-z]+-[0-9a-f]+$/.test(value))) return []
  const [vpcs, subnets, groups] = await Promise.all([
    read(reads.vpcs),
    read(reads.subnets),
    read(reads.securityGroups),
  ])
  return updateProblems(appliedConfig({ desired, state, config, vpcs, subnets, groups }), config)
}
