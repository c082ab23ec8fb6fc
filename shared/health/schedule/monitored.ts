import type { Timestamp } from '../../clock/clock.ts'
import { parseTimestamp } from '../../clock/clock.ts'
import type { KindName } from '../../contract/kinds.ts'
import { stringOf } from '../../decode/record-of.ts'
import { type KubernetesObject, idOf as nameOf, type ObjectKey } from '../../kubernetes/kubernetes.ts'
import type { Facts } from '../../lifecycle/lifecycle.ts'

/**
 * Why the health of an object is checked. `changed`: a dependency of the condition has changed. `unhealthy`: the
 * condition is not `True`, and may recover by an unwatched change. `round`: unwatched facts may have changed.
 * `refresh`: the function must rewrite the condition, to prove that it answers.
 */
export type CheckReason = 'changed' | 'unhealthy' | 'round' | 'refresh'

/**
 * A health check of an object was ordered, for the given `reason`. `why`: the sink's answer, or the reason why there is
 * no event.
 */
export interface CheckOrdered {
  readonly type: 'health'
  readonly kind: KindName
  /** `<namespace>/<name>`. */
  readonly object: string
  readonly reason: CheckReason
  readonly outcome: 'accepted' | 'unanswered' | 'retried' | 'refused' | 'impossible'
  readonly why?: string
}

export interface NextCheck {
  readonly at: Timestamp
  readonly reason: CheckReason
}

export const idOf = (kind: KindName, key: ObjectKey): string => `${kind} ${nameOf(key)}`

/** The state of an object with health checks. */
export interface Monitored {
  readonly id: string
  readonly kind: KindName
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly apiVersion: string
  readonly provider: string
  readonly extensionClass: string
  generation: number
  resourceVersion: string
  /** The content of its conditions. */
  shown: ShownCondition
  /** The time of the last write of the condition, by this bridge's clock; undefined: never. */
  writtenAt: Timestamp | undefined
  /**
   * The time since which repeated checks have made no difference: the status is the same, and no change was checked.
   * For a condition that is `True`: the time of the first unanswered check.
   */
  since: Timestamp
  /** The time of the first change without a check. */
  changedAt: Timestamp | undefined
  /** The check that it is due in a round; undefined: none. */
  due: NextCheck | undefined
  /** The time of the last ordered check. */
  orderedAt: Timestamp | undefined
  /** The number of checks ordered in quick succession. */
  row: number
  /** The number of checks without an effect: the condition was old and was not rewritten. */
  missed: number
}

/** A condition as an object shows it; missing texts are empty. */
export interface ShownCondition {
  readonly status: string
  readonly lastUpdateTime: string
  readonly lastTransitionTime: string
}

/**
 * Returns the conditions of these types in an object of any content, as one: the status of the first that is not True,
 * and the time of the oldest, because one check writes all that are old.
 */
export const shownIn = (object: KubernetesObject, types: readonly string[]): ShownCondition => {
  const { conditions } = Object(object.status) as { readonly conditions?: unknown }
  const entries: readonly unknown[] = Array.isArray(conditions) ? conditions : []
  const shown = types.map((type): ShownCondition => {
    const entry = Object(entries.find(candidate => Object(candidate).type === type))
    return {
      status: stringOf(entry.status),
      lastUpdateTime: stringOf(entry.lastUpdateTime),
      lastTransitionTime: stringOf(entry.lastTransitionTime),
    }
  })
  const worst = shown.find(({ status }) => status !== 'True') ?? shown[0]
  const [oldest = ''] = shown.map(({ lastUpdateTime }) => lastUpdateTime).toSorted()
  return { ...(worst ?? { status: '', lastTransitionTime: '' }), lastUpdateTime: oldest }
}

/** Returns a time that another clock wrote, never later than now. */
export const pastTime = (text: string, now: Timestamp): Timestamp | undefined => {
  const at = parseTimestamp(text)
  return at === undefined ? undefined : Math.min(at, now)
}

/** Returns the state of an object that is seen for the first time. */
export const newMonitored = (
  id: string,
  kind: KindName,
  { apiVersion, metadata }: KubernetesObject,
  facts: Facts,
  shown: ShownCondition,
  now: Timestamp,
): Monitored => ({
  id,
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: facts.uid,
  apiVersion,
  provider: facts.provider,
  extensionClass: facts.extensionClass,
  generation: facts.generation,
  resourceVersion: facts.resourceVersion,
  shown,
  writtenAt: pastTime(shown.lastUpdateTime, now),
  since: pastTime(shown.lastTransitionTime, now) ?? now,
  changedAt: undefined,
  due: undefined,
  orderedAt: undefined,
  row: 0,
  missed: 0,
})
