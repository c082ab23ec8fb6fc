import type { Problem } from '../../../../shared/contract/problems.ts'
import type { InfrastructureConfig } from './config.ts'
import { networkProblems } from './network-rules.ts'
import { tagProblems } from './tag-rules.ts'
import { zoneProblems } from './zone-rules.ts'

/** What is wrong with a config, whatever shoot it is for (docs/contract/provider-aws.md#rules-for-the-config). */
export const configProblems = (config: InfrastructureConfig): readonly Problem[] => [
  ...zoneProblems(config),
  ...networkProblems(config),
  ...tagProblems(config),
]
