import type { Timestamp } from '../../clock/clock.ts'
import type { KindName } from '../../contract/kinds.ts'
import type { Monitored } from './monitored.ts'
import { isOld } from './next-check.ts'

/** The function that checks the objects of one kind and type. */
export interface CheckingFunction {
  readonly kind: KindName
  /** `spec.type` of the objects. */
  readonly provider: string
}

/** The objects that have health checks. It orders none. */
export interface MonitoredObjects {
  get(id: string): Monitored | undefined
  all(): readonly Monitored[]
  of(fn: CheckingFunction): readonly Monitored[]
  in(kind: KindName, namespace: string): readonly Monitored[]
  add(object: Monitored): void
  remove(object: Monitored): void
  /** Returns true if the object's shoot is to be hibernated. */
  isAsleep(object: Monitored): boolean
  /** A shoot is to be hibernated, or no longer. Returns true if that is new. */
  noteSleep(namespace: string, isAsleep: boolean): boolean
  /** Returns the object that proves that its function answers: the one that it wrote first of all. */
  proofOf(fn: CheckingFunction, now: Timestamp): Monitored | undefined
}

export const createMonitoredObjects = (): MonitoredObjects => {
  const byId = new Map<string, Monitored>()
  const byNamespace = new Map<string, Set<Monitored>>()
  /** Namespaces of shoots that are to be hibernated. */
  const asleep = new Set<string>()
  const scopeOf = (kind: KindName, namespace: string) => `${kind} ${namespace}`
  const of = ({ kind, provider }: CheckingFunction) =>
    [...byId.values()].filter(object => object.kind === kind && object.provider === provider)

  return {
    get: id => byId.get(id),
    all: () => [...byId.values()],
    of,
    in: (kind, namespace) => [...(byNamespace.get(scopeOf(kind, namespace)) ?? [])],
    add: object => {
      byId.set(object.id, object)
      const scope = scopeOf(object.kind, object.namespace)
      byNamespace.set(scope, (byNamespace.get(scope) ?? new Set()).add(object))
    },
    remove: object => {
      byId.delete(object.id)
      const scope = scopeOf(object.kind, object.namespace)
      const objects = byNamespace.get(scope)
      objects?.delete(object)
      if (objects?.size === 0) byNamespace.delete(scope)
    },
    isAsleep: ({ namespace }) => asleep.has(namespace),
    noteSleep: (namespace, isAsleep) => {
      if (isAsleep === asleep.has(namespace)) return false
      if (isAsleep) asleep.add(namespace)
      else asleep.delete(namespace)
      return true
    },
    proofOf: (fn, now) =>
      of(fn)
        .filter(object => object.missed === 0 && !asleep.has(object.namespace) && isOld(object, now))
        .reduce<Monitored | undefined>(
          (first, object) => ((object.writtenAt ?? 0) < (first?.writtenAt ?? Infinity) ? object : first),
          undefined,
        ),
  }
}
