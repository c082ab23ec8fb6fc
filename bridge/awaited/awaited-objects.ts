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

/** What steps wait for, by kind. */
export type AwaitedBy = Partial<Readonly<Record<KindName, readonly AwaitedResource[]>>>

/** Follows what the steps of some kinds wait for. */
export interface AwaitedObjects {
  run(signal: AbortSignal): Promise<void>
  readonly reflectors: readonly Reflector[]
}

/** Gets what a watch shows of a resource. */
export type ResourceFollower = Pick<ReflectorHandler, 'upsert' | 'deleted'>

/** Told of everything that changes. `complete`: nothing in the namespace is left to wait for, as far as it tells. */
export type AwaitedChanged = (kind: KindName, namespace: string, complete: boolean) => void

/**
 * Watches what the steps of the kinds wait for. Of each object a number is kept, nothing else. What is there at the first
 * list, and what is new and not yet as it shall be, is no change.
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
  /** Who else follows a resource of a kind: one watch serves both. */
  readonly beside?: (kind: KindName, plural: string) => ResourceFollower | undefined
  readonly observe: Observe
}): AwaitedObjects => {
  const { kinds, awaitedBy, changed, beside, observe, log, namespace: only, ...ports } = options

  const reflectorsOf = (kind: KindName): readonly Reflector[] => {
    /** How many are not settled, by namespace; a namespace without any is absent. */
    const unsettled = new Map<string, number>()
    const count = (namespace: string, difference: number) => {
      const now = (unsettled.get(namespace) ?? 0) + difference
      if (now === 0) unsettled.delete(namespace)
      else unsettled.set(namespace, now)
    }
    return (awaitedBy[kind] ?? []).map(({ resource, isSettled }) => {
      const known = new Map<string, number>()
      const follower = beside?.(kind, resource.plural)
      let absenceLogged = false
      return createReflector({
        ...ports,
        log,
        resource,
        streamed: true,
        ...(only === undefined ? {} : { namespace: only }),
        handler: {
          upsert: (object, { initial }) => {
            follower?.upsert(object, { initial })
            absenceLogged = false
            const { namespace = '' } = object.metadata
            const id = idOf(object.metadata)
            const before = known.get(id)
            const settled = isSettled(object)
            const now = noteOf(awaitedFacts(object), settled)
            if (before === now) return
            known.set(id, now)
            count(namespace, Number(!settled) - Number(before !== undefined && !wasSettled(before)))
            if (initial || (before === undefined && !settled)) return
            changed(kind, namespace, !unsettled.has(namespace))
          },
          deleted: ({ namespace = '', name }) => {
            follower?.deleted({ namespace, name })
            const id = idOf({ namespace, name })
            const before = known.get(id)
            if (before === undefined) return
            known.delete(id)
            if (!wasSettled(before)) count(namespace, -1)
            changed(kind, namespace, !unsettled.has(namespace))
          },
          restarted: about => {
            observe({ type: 'restarted', resource: resource.plural, ...about })
            if (about.reason !== 'absent' || absenceLogged) return
            absenceLogged = true
            const { group, plural } = resource
            log.info('what steps wait for is not served, they look by the clock', { kind, group, plural })
          },
          recovered: () => observe({ type: 'recovered', resource: resource.plural }),
          synced: () => observe({ type: 'synced', resource: resource.plural, objects: known.size }),
        },
      })
    })
  }
  const reflectors = kinds.flatMap(reflectorsOf)

  return {
    run: async signal => {
      await Promise.all(reflectors.map(reflector => reflector.run(signal)))
    },
    reflectors,
  }
}

/** What is kept of an object: a hash of its facts, and a bit that says whether it is settled. */
const noteOf = (facts: string, settled: boolean): number =>
  ((hashOf(facts) & 0x3fffffff) << 1) | Number(settled)

const wasSettled = (note: number): boolean => (note & 1) === 1
