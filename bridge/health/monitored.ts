import type { Timestamp } from '../../shared/clock/clock.ts'
import { parseTimestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { Facts } from '../../shared/lifecycle/lifecycle.ts'

/** What the bridge keeps of an object whose health is checked. */
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
  /** What stands in its condition. */
  shown: ShownCondition
  /** When the condition was written last, by this bridge's clock as far as it has seen it; undefined: never. */
  writtenAt: Timestamp | undefined
  /** When it is to be written anew, chosen by chance with each write. */
  refreshAt: Timestamp
  /** Since when something is otherwise that no check was ordered for. */
  changedAt: Timestamp | undefined
  /** By when it is checked whatever it says, since changes may have passed unseen. */
  catchUpAt: Timestamp | undefined
  /** When a check was ordered last. */
  orderedAt: Timestamp | undefined
  /** How many were ordered one soon after the other. */
  row: number
  /** How many were ordered in vain: the condition was old, and nobody wrote it anew. */
  missed: number
}

/** A condition as an object shows it; texts are empty where there is none. */
export interface ShownCondition {
  readonly status: string
  readonly lastUpdateTime: string
}

/** The condition of a type in an object, whatever it is. */
export const shownIn = (object: KubernetesObject, type: string): ShownCondition => {
  const { conditions } = Object(object.status) as { readonly conditions?: unknown }
  const entries: readonly unknown[] = Array.isArray(conditions) ? conditions : []
  const entry = Object(entries.find(candidate => Object(candidate).type === type))
  return { status: textOf(entry.status), lastUpdateTime: textOf(entry.lastUpdateTime) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** When a condition that is seen for the first time was written: never later than now, whatever its writer's clock said. */
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
