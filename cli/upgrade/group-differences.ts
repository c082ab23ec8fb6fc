import type { ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { withoutNames } from '../../shared/text/without-names.ts'
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
  readonly objects: readonly ObjectKey[]
}

const order: readonly UpgradeEffect[] = [
  ...(['roll', 'delete', 'replace', 'refuse', 'write', 'status', 'accept', 'stop'] as const),
]

/** Groups equal differences, the most dangerous effects first, then the most frequent. */
export const groupDifferences = (objects: readonly ComparedObject[]): readonly DifferenceGroup[] => {
  const all = objects.flatMap(object => (object.differences ?? []).map(one => ({ object, one })))
  const groups = Map.groupBy(all, ({ object, one }) =>
    JSON.stringify([
      one.effect,
      object.kind,
      sentenceOf(one, object),
      one.lines.map(line => general(line, object)),
    ]),
  )
  return [...groups.values()]
    .flatMap(([first, ...others]): readonly DifferenceGroup[] => {
      if (first === undefined) return []
      const { object, one } = first
      const named = [first, ...others].map(({ object: { namespace, name } }) => ({
        name,
        ...(namespace !== undefined && { namespace }),
      }))
      return [
        {
          effect: one.effect,
          kind: object.kind,
          sentence: sentenceOf(one, object),
          lines: [...new Set(one.lines.map(line => general(line, object)))],
          machines: [first, ...others].reduce((sum, { one: { machines = 0 } }) => sum + machines, 0),
          objects: [...new Map(named.map(key => [`${key.namespace}/${key.name}`, key])).values()],
        },
      ]
    })
    .toSorted(
      (a, b) => order.indexOf(a.effect) - order.indexOf(b.effect) || b.objects.length - a.objects.length,
    )
}

/** Pools that roll for the same reason are one group, whatever their sizes are. */
const sentenceOf = (one: PlanDifference, object: ObjectKey): string =>
  one.effect === 'roll' ? 'roll the pool' : general(one.sentence, object)

/** Replaces what differs between shoots: names, ids, addresses and hashes. */
const general = (text: string, object: ObjectKey): string =>
  withoutNames(text, object)
    .replace(/\b\d+(?:\.\d+){3}(?:\/\d+)?\b/g, '‹address›')
    .replace(/-(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{5,}\b/g, '-‹hash›')
