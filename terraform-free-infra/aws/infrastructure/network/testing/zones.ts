import type { ManagedZone } from '../../desired-infrastructure.ts'

/** Returns the first zones of eu-west-1, in a VPC `10.250.0.0/16`. */
export const zonesOf = (count: number, parts: Partial<ManagedZone> = {}) => ({
  kind: 'managed' as const,
  zones: ['a', 'b', 'c'].slice(0, count).map(
    (letter, index): ManagedZone => ({
      name: `eu-west-1${letter}`,
      suffix: `z${index}`,
      index,
      workers: `10.250.${32 * index}.0/19`,
      internal: `10.250.${112 + 4 * index}.0/22`,
      public: `10.250.${96 + 4 * index}.0/22`,
      elasticIp: undefined,
      ...parts,
    }),
  ),
})
