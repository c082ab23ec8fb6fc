import type { Problem } from '../../../../../shared/contract/problems.ts'
import type { InfrastructureConfig } from '../config.ts'
import { networkProblems } from './network-problems.ts'
import { tagProblems } from './tag-problems.ts'
import { zoneProblems } from './zone-problems.ts'

/**
 * What is wrong with a config, whatever shoot it is for (docs/contract/provider-aws.md#rules-for-the-config).
 *
 * @param asker the step refuses only what cannot work: a rule of admission may be younger than the object
 */
export const configProblems = (
  config: InfrastructureConfig,
  asker: 'admission' | 'step',
): readonly Problem[] => [
  ...zoneProblems(config, asker),
  ...networkProblems(config),
  ...tagProblems(config, asker),
]
