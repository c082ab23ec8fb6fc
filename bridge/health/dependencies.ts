import type { Clock } from '../../shared/clock/clock.ts'
import { type HealthDependency, healthFacts, type MonitoredKind } from '../../shared/contract/health.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import {
  createReflector,
  idOf,
  type Kubernetes,
  type ListQueue,
  type Reflector,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import type { ResourceFollower } from '../awaited/awaited-objects.ts'
import type { Observe } from '../bridge-event.ts'
import { hashOf } from '../hash-of.ts'

/** The resources that conditions depend on, by kind. */
export type MonitoredKinds = Partial<Readonly<Record<KindName, MonitoredKind>>>

/** Watches the resources that the conditions of some kinds depend on. */
export interface HealthDependencies {
  run(signal: AbortSignal): Promise<void>
  readonly reflectors: readonly Reflector[]
  /**
   * Returns the handler for a resource that another reflector watches completely; undefined if nothing depends on it.
   */
  follower(kind: KindName, plural: string): ResourceFollower | undefined
}

export interface HealthDependenciesOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
  readonly kinds: readonly KindName[]
  readonly monitored: MonitoredKinds
  readonly namespace: string | undefined
  readonly listQueue: ListQueue
  /** Returns true if another reflector watches all objects of a resource for the kind, and passes them on. */
  readonly isWatched: (kind: KindName, plural: string) => boolean
  /** Called when a relevant object has changed. */
  readonly changed: (kind: KindName, namespace: string) => void
  readonly observe: Observe
}

/**
 * Watches the resources that conditions depend on. Stores one number for each object. Objects in the first list are not
 * changes.
 */
export const createHealthDependencies = (options: HealthDependenciesOptions): HealthDependencies => {
  const { kinds, monitored, isWatched, changed, observe, log, namespace: only, ...ports } = options

  const followerOf = (kind: KindName): ResourceFollower & { readonly size: () => number } => {
    const known = new Map<string, number>()
    return {
      size: () => known.size,
      upsert: (object, { initial }) => {
        const id = idOf(object.metadata)
        const now = hashOf(healthFacts(object))
        if (known.get(id) === now) return
        known.set(id, now)
        if (!initial) changed(kind, object.metadata.namespace ?? '')
      },
      deleted: key => {
        if (known.delete(idOf(key))) changed(kind, key.namespace ?? '')
      },
    }
  }

  const reflectorOf = (kind: KindName, { resource, labelSelector }: HealthDependency): Reflector => {
    const { size, ...follower } = followerOf(kind)
    let absenceLogged = false
    return createReflector({
      ...ports,
      log,
      resource,
      streamed: true,
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(only === undefined ? {} : { namespace: only }),
      handler: {
        ...follower,
        restarted: about => {
          observe({ type: 'restarted', resource: resource.plural, ...about })
          if (about.reason !== 'absent' || absenceLogged) return
          absenceLogged = true
          const { group, plural } = resource
          log.info('objects that conditions depend on are not served; conditions are checked on a timer', {
            kind,
            group,
            plural,
          })
        },
        recovered: () => observe({ type: 'recovered', resource: resource.plural }),
        synced: () => observe({ type: 'synced', resource: resource.plural, objects: size() }),
      },
    })
  }

  const dependencies = kinds.flatMap(kind =>
    (monitored[kind]?.dependsOn ?? []).map(dependency => ({ kind, dependency })),
  )
  const reflectors = dependencies
    .filter(({ kind, dependency }) => !isWatched(kind, dependency.resource.plural))
    .map(({ kind, dependency }) => reflectorOf(kind, dependency))

  return {
    run: async signal => {
      await Promise.all(reflectors.map(reflector => reflector.run(signal)))
    },
    reflectors,
    follower: (kind, plural) =>
      dependencies.some(({ kind: of, dependency: { resource } }) => of === kind && resource.plural === plural)
        ? followerOf(kind)
        : undefined,
  }
}
