import type { Clock } from '../../shared/clock/clock.ts'
import { type AwaitedResource, awaitedFacts } from '../../shared/contract/awaited.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import {
  createReflector,
  idOf,
  type Kubernetes,
  type ListQueue,
  type Reflector,
  type ReflectorHandler,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import type { Observe } from '../bridge-event.ts'
import { hashOf } from '../hash-of.ts'

/** The resources that steps wait for, by kind. */
export type AwaitedBy = Partial<Readonly<Record<KindName, readonly AwaitedResource[]>>>

/** Watches the resources that the steps of some kinds wait for. */
export interface AwaitedObjects {
  run(signal: AbortSignal): Promise<void>
  readonly reflectors: readonly Reflector[]
}

/** Receives the objects that a watch reports for a resource. */
export type ResourceFollower = Pick<ReflectorHandler, 'upsert' | 'deleted'>

/** Called for every change. `complete`: as far as this change shows, nothing in the namespace is left to wait for. */
export type AwaitedChanged = (kind: KindName, namespace: string, complete: boolean) => void

/**
 * Watches the resources that the steps of the kinds wait for. Stores one number for each object. Objects in the first
 * list, and new objects that are not ready yet, are not changes.
 */
export const createAwaitedObjects = (options: {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
  readonly kinds: readonly KindName[]
  readonly awaitedBy: AwaitedBy
  readonly namespace: string | undefined
  readonly listQueue: ListQueue
  readonly changed: AwaitedChanged
  /** Another follower of a resource of a kind; one watch serves both. */
  readonly beside?: (kind: KindName, plural: string) => ResourceFollower | undefined
  readonly observe: Observe
}): AwaitedObjects => {
  const { kinds, awaitedBy, changed, beside, observe, log, namespace: only, ...ports } = options

  /**
   * The number of unsettled objects, by namespace; a namespace without any is absent. Counted by kind, because a kind
   * may wait for several resources.
   */
  const unsettled = new Map(kinds.map(kind => [kind, new Map<string, number>()]))
  const count = (waiting: readonly KindName[], namespace: string, difference: number) => {
    if (difference === 0) return
    for (const kind of waiting) {
      const counts = unsettled.get(kind)
      const now = (counts?.get(namespace) ?? 0) + difference
      if (now === 0) counts?.delete(namespace)
      else counts?.set(namespace, now)
    }
  }
  const tell = (waiting: readonly KindName[], namespace: string) => {
    for (const kind of waiting) changed(kind, namespace, unsettled.get(kind)?.has(namespace) !== true)
  }

  const reflectorOf = (
    { resource, isSettled }: AwaitedResource,
    waiting: readonly [KindName, ...KindName[]],
  ): Reflector => {
    const known = new Map<string, number>()
    const followers = waiting.flatMap(kind => beside?.(kind, resource.plural) ?? [])
    let absenceLogged = false
    return createReflector({
      ...ports,
      log,
      resource,
      streamed: true,
      ...(only === undefined ? {} : { namespace: only }),
      handler: {
        upsert: (object, { initial }) => {
          for (const follower of followers) follower.upsert(object, { initial })
          absenceLogged = false
          const { namespace = '' } = object.metadata
          const id = idOf(object.metadata)
          const before = known.get(id)
          const settled = isSettled(object)
          const now = noteOf(awaitedFacts(object), settled)
          if (before === now) return
          known.set(id, now)
          count(waiting, namespace, Number(!settled) - Number(before !== undefined && !wasSettled(before)))
          if (initial || (before === undefined && !settled)) return
          tell(waiting, namespace)
        },
        deleted: ({ namespace = '', name }) => {
          for (const follower of followers) follower.deleted({ namespace, name })
          const id = idOf({ namespace, name })
          const before = known.get(id)
          if (before === undefined) return
          known.delete(id)
          if (!wasSettled(before)) count(waiting, namespace, -1)
          tell(waiting, namespace)
        },
        restarted: about => {
          observe({ type: 'restarted', resource: resource.plural, ...about })
          if (about.reason !== 'absent' || absenceLogged) return
          absenceLogged = true
          const { group, plural } = resource
          log.info('awaited objects are not served; steps check on a timer', {
            kind: waiting.join(', '),
            group,
            plural,
          })
        },
        recovered: () => observe({ type: 'recovered', resource: resource.plural }),
        synced: () => observe({ type: 'synced', resource: resource.plural, objects: known.size }),
      },
    })
  }
  const reflectors = [...waitingKinds(kinds, awaitedBy)].map(([awaited, waiting]) =>
    reflectorOf(awaited, waiting),
  )

  return {
    run: async signal => {
      await Promise.all(reflectors.map(reflector => reflector.run(signal)))
    },
    reflectors,
  }
}

/** Returns the kinds that wait for each resource. Kinds with the same resource share its watch. */
const waitingKinds = (
  kinds: readonly KindName[],
  awaitedBy: AwaitedBy,
): ReadonlyMap<AwaitedResource, readonly [KindName, ...KindName[]]> => {
  const waiting = new Map<AwaitedResource, readonly [KindName, ...KindName[]]>()
  for (const kind of kinds) {
    for (const awaited of awaitedBy[kind] ?? [])
      waiting.set(awaited, [...(waiting.get(awaited) ?? []), kind] as [KindName, ...KindName[]])
  }
  return waiting
}

/** The number stored for an object: a hash of its facts, and a bit for settled. */
const noteOf = (facts: string, settled: boolean): number =>
  ((hashOf(facts) & 0x3fffffff) << 1) | Number(settled)

const wasSettled = (note: number): boolean => (note & 1) === 1
