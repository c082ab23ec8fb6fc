import type { Problem } from '../../../../../shared/contract/problems.ts'
import type { InfrastructureConfig } from '../config.ts'
import { networkProblems } from './network-problems.ts'
import { tagProblems } from './tag-problems.ts'
import { zoneProblems } from './zone-problems.ts'

/** What is wrong with a config, whatever shoot it is for (docs/contract/provider-aws.md#rules-for-the-config). */
export const configProblems = (config: InfrastructureConfig): readonly Problem[] => [
  ...zoneProblems(config),
  ...networkProblems(config),
  ...tagProblems(config),
]
