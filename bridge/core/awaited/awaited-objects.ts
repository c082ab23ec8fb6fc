import type { AwaitedResource } from '../../../shared/contract/awaited.ts'
import { awaitedFacts } from '../../../shared/contract/awaited.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { idOf, type Reflector } from '../../../shared/kubernetes/kubernetes.ts'
import { hashOf } from '../../../shared/text/hash-of.ts'
import type { Observer } from '../observer.ts'
import type { Watch } from '../watch.ts'

/** The resources that steps wait for, by kind. */
export type AwaitedBy = Partial<Readonly<Record<KindName, readonly AwaitedResource[]>>>

/** Called for every change. `complete`: as far as this change shows, nothing in the namespace is left to wait for. */
export type AwaitedChanged = (kind: KindName, namespace: string, complete: boolean) => void

/**
 * Creates watches of the resources that the steps of the kinds wait for. Stores one number for each object. Objects in
 * the first list, and new objects that are not ready yet, are not changes.
 */
export const watchAwaitedObjects = (options: {
  readonly kinds: readonly KindName[]
  readonly awaitedBy: AwaitedBy
  /** Default: all namespaces. */
  readonly namespace: string | undefined
  readonly watch: Watch
  readonly changed: AwaitedChanged
  readonly observers: Required<Pick<Observer, 'resourceSeen' | 'resourceDeleted'>>
}): readonly Reflector[] => {
  const { kinds, awaitedBy, changed, observers } = options

  /**
   * The number of objects that are not ready, by namespace; a namespace without any is absent. Counted by kind, because
   * a kind may wait for several resources.
   */
  const unready = new Map(kinds.map(kind => [kind, new Map<string, number>()]))
  const count = (waiting: readonly KindName[], namespace: string, difference: number) => {
    if (difference === 0) return
    for (const kind of waiting) {
      const counts = unready.get(kind)
      const now = (counts?.get(namespace) ?? 0) + difference
      if (now === 0) counts?.delete(namespace)
      else counts?.set(namespace, now)
    }
  }
  const announce = (waiting: readonly KindName[], namespace: string) => {
    for (const kind of waiting) changed(kind, namespace, unready.get(kind)?.has(namespace) !== true)
  }

  const watchOne = ({ resource, isComplete }: AwaitedResource, waiting: readonly KindName[]): Reflector => {
    const known = new Map<string, number>()
    return options.watch(resource, {
      namespace: options.namespace,
      whenAbsent: {
        message: 'awaited objects are not served; steps check on a timer',
        kind: waiting.join(', '),
      },
      upsert: (object, { initial }) => {
        observers.resourceSeen(resource.plural, object, initial)
        const { namespace = '' } = object.metadata
        const id = idOf(object.metadata)
        const before = known.get(id)
        const ready = isComplete(object)
        const now = noteOf(awaitedFacts(object), ready)
        if (before === now) return
        known.set(id, now)
        count(waiting, namespace, Number(!ready) - Number(before !== undefined && !wasReady(before)))
        if (!initial && (before !== undefined || ready)) announce(waiting, namespace)
      },
      deleted: key => {
        observers.resourceDeleted(resource.plural, key)
        const { namespace = '' } = key
        const id = idOf(key)
        const before = known.get(id)
        if (before === undefined) return
        known.delete(id)
        if (!wasReady(before)) count(waiting, namespace, -1)
        announce(waiting, namespace)
      },
    })
  }
  return [...waitingKinds(kinds, awaitedBy)].map(([awaited, waiting]) => watchOne(awaited, waiting))
}

/** Returns the kinds that wait for each resource. Kinds with the same resource share its watch. */
const waitingKinds = (
  kinds: readonly KindName[],
  awaitedBy: AwaitedBy,
): ReadonlyMap<AwaitedResource, readonly KindName[]> => {
  const waiting = new Map<AwaitedResource, readonly KindName[]>()
  for (const kind of kinds)
    for (const awaited of awaitedBy[kind] ?? []) waiting.set(awaited, [...(waiting.get(awaited) ?? []), kind])
  return waiting
}

/** The number stored for an object: a hash of its facts, and a bit that is set if it is ready. */
const noteOf = (facts: string, ready: boolean): number => ((hashOf(facts) & 0x3fffffff) << 1) | Number(ready)

const wasReady = (note: number): boolean => (note & 1) === 1
