import type { Problem } from '../../../../../shared/decode/problems.ts'
import type { InfrastructureConfig } from '../config.ts'
import { networkProblems } from './network-problems.ts'
import { tagProblems } from './tag-problems.ts'
import { zoneProblems } from './zone-problems.ts'

/**
 * Returns the problems of a config that do not depend on a shoot (docs/contract/provider-aws.md#rules-for-the-config).
 *
 * @param asker a step refuses only a config that cannot work, because a rule of admission may be newer than the object
 */
export const configProblems = (
  config: InfrastructureConfig,
  asker: 'admission' | 'step',
): readonly Problem[] => [
  ...zoneProblems(config, asker),
  ...networkProblems(config),
  ...tagProblems(config, asker),
]
