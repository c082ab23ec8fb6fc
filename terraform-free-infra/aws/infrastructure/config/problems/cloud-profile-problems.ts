import { type Problem, shown } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import type { ConfigZone, InfrastructureConfig } from '../config.ts'
import { zonePath } from './zone-problems.ts'

/**
 * Returns the zones that the CloudProfile does not offer in the region
 * (docs/contract/provider-aws.md#zones-of-the-cloudprofile). An existing zone stays valid if the CloudProfile loses it.
 *
 * @param offered names of zones; undefined: the CloudProfile does not contain the region
 */
export const cloudProfileProblems = (
  { networks: { zones } }: InfrastructureConfig,
  offered: readonly string[] | undefined,
  isThere: (zone: ConfigZone, index: number) => boolean,
): readonly Problem[] =>
  offered === undefined
    ? []
    : zones.flatMap((zone, index) => {
        const { name } = zone
        return when(!offered.includes(name) && !isThere(zone, index), {
          path: zonePath(index, 'name'),
          message: `expected one of the zones of the region (${offered.join(', ')}), found ${shown(name)}`,
          kind: 'unsupported' as const,
        })
      })
