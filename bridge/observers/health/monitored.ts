import type { Timestamp } from '../../../shared/clock/clock.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Facts } from '../../../shared/lifecycle/lifecycle.ts'

/** The bridge's state of an object with health checks. */
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
  /** The content of its condition. */
  shown: ShownCondition
  /** The time of the last write of the condition, by this bridge's clock; undefined: never. */
  writtenAt: Timestamp | undefined
  /** The time at which it is rewritten, chosen randomly after each write. */
  refreshAt: Timestamp
  /** The time of the first change without a check. */
  changedAt: Timestamp | undefined
  /** The time by which it is checked in any case, because changes may have been missed. */
  catchUpAt: Timestamp | undefined
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
}

/** Returns the condition of a type in an object of any content. */
export const shownIn = (object: KubernetesObject, type: string): ShownCondition => {
  const { conditions } = Object(object.status) as { readonly conditions?: unknown }
  const entries: readonly unknown[] = Array.isArray(conditions) ? conditions : []
  const entry = Object(entries.find(candidate => Object(candidate).type === type))
  return { status: stringOf(entry.status), lastUpdateTime: stringOf(entry.lastUpdateTime) }
}

/**
 * Returns the write time of a condition that is seen for the first time: never later than now, whatever the writer's
 * clock said.
 */
export const writtenAtFirst = ({ lastUpdateTime }: ShownCondition, now: Timestamp): Timestamp | undefined => {
  const at = parseTimestamp(lastUpdateTime)
  return at === undefined ? undefined : Math.min(at, now)
}

export const newMonitored = (
  id: string,
  kind: KindName,
  { apiVersion, metadata }: KubernetesObject,
  facts: Facts,
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
  shown: { status: '', lastUpdateTime: '' },
  writtenAt: undefined,
  refreshAt: 0,
  changedAt: undefined,
  catchUpAt: undefined,
  orderedAt: undefined,
  row: 0,
  missed: 0,
})
