import { objectDiff } from '../../../sandbox/plan-texts/object-diff.ts'
import type { Json } from './json.ts'
import type { Walk } from './space/walk.ts'

/** Returns a walk for readers: the first configuration as YAML, then the changed lines of each further stop. */
export const walkText = (walk: Walk, ends: readonly string[]): string =>
  walk
    .map(({ configuration, trouble }, index) => {
      const before = walk[index - 1]?.configuration
      const lines = objectDiff(before && asObject(before), asObject(configuration))
      const head = [`stop ${index + 1}`, trouble, ends[index]].filter(text => text !== undefined).join(', ')
      return [`${head}:`, ...lines.map(line => `  ${line}`)].join('\n')
    })
    .join('\n')

/** A diff is of objects. */
const asObject = (configuration: Readonly<Record<string, Json>>) =>
  ({ apiVersion: 'v1', kind: 'Configuration', metadata: { name: 'walk' }, ...configuration }) as const
