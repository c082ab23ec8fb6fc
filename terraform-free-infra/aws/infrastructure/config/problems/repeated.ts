import { type Problem, shown } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import type { ConfigZone } from '../config.ts'

/** Returns the values that occur in several zones but must be unique. */
export const repeated = (
  zones: readonly ConfigZone[],
  field: 'name' | 'workersSubnetID' | 'elasticIPAllocationID',
): readonly Problem[] =>
  zones.flatMap((zone, index) => {
    const value = zone[field]
    const first = zones.findIndex(other => other[field] === value)
    return when(value !== undefined && first !== index, {
      path: `networks.zones[${index}].${field}`,
      message: `expected a unique value, found ${shown(value)}, which networks.zones[${first}] also has`,
      kind: 'duplicate' as const,
    })
  })
