import type { ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { withoutDetails } from '../../shared/text/without-names.ts'
import type { PlanDifference, UpgradeEffect } from './plan-differences.ts'

/** An object, and the result of its comparison. */
export interface ComparedObject extends ObjectKey {
  readonly kind: string
  readonly differences?: readonly PlanDifference[]
  /** The reason why its difference is unknown, or perhaps wrong. */
  readonly unknown?: string
}

/** Objects of a kind with the same difference, apart from names and ids. */
export interface DifferenceGroup {
  readonly effect: UpgradeEffect
  readonly kind: string
  /** With placeholders: `update VPC ‹id›`. */
  readonly sentence: string
  readonly lines: readonly string[]
  readonly machines: number
  /** `pools`: the sentences about those of a Worker. */
  readonly objects: readonly (ObjectKey & { readonly pools?: readonly string[] })[]
}

const order: readonly UpgradeEffect[] = [
  ...(['roll', 'delete', 'replace', 'refuse', 'write', 'class', 'status', 'roll anyway'] as const),
  ...(['accept', 'stop'] as const),
]

/** Groups equal differences, the most dangerous effects first, then the most frequent. */
export const groupDifferences = (objects: readonly ComparedObject[]): readonly DifferenceGroup[] => {
  const all = objects.flatMap(object => (object.differences ?? []).map(one => ({ object, one })))
  const groups = Map.groupBy(all, ({ object, one }) =>
    JSON.stringify([
      one.effect,
      object.kind,
      sentenceOf(one, object),
      one.lines.map(line => withoutDetails(line, object)),
    ]),
  )
  return [...groups.values()]
    .flatMap(([first, ...others]): readonly DifferenceGroup[] => {
      if (first === undefined) return []
      const { object, one } = first
      const byName = Map.groupBy([first, ...others], ({ object }) => `${object.namespace}/${object.name}`)
      const named = [...byName.values()].flatMap(([one, ...more]) => {
        if (one === undefined) return []
        const { namespace, name } = one.object
        const pools = isOfMachines(one.one) ? [one, ...more].map(({ one: { sentence } }) => sentence) : []
        return [{ name, ...(namespace !== undefined && { namespace }), ...(pools.length > 0 && { pools }) }]
      })
      return [
        {
          effect: one.effect,
          kind: object.kind,
          sentence: sentenceOf(one, object),
          lines: [...new Set(one.lines.map(line => withoutDetails(line, object)))],
          machines: [first, ...others].reduce((sum, { one: { machines = 0 } }) => sum + machines, 0),
          objects: named,
        },
      ]
    })
    .toSorted(
      (a, b) => order.indexOf(a.effect) - order.indexOf(b.effect) || b.objects.length - a.objects.length,
    )
}

const isOfMachines = ({ effect }: PlanDifference): boolean =>
  effect === 'roll' || effect === 'roll anyway' || effect === 'class'

/** Pools that roll for the same reason are one group, whatever their sizes are. */
const sentenceOf = (one: PlanDifference, object: ObjectKey): string =>
  isOfMachines(one)
    ? one.effect === 'class'
      ? 'change the class of the pool'
      : 'roll the pool'
    : withoutDetails(one.sentence, object)
