import { type HealthDependency, healthFacts, type MonitoredKind } from '../../contract/health.ts'
import type { KindName } from '../../contract/kinds.ts'
import {
  type GroupVersionResource,
  idOf,
  type KubernetesObject,
  type ObjectKey,
  type Reflector,
  type ReflectorHandler,
} from '../../kubernetes/kubernetes.ts'
import { hashOf } from '../../text/hash-of.ts'

/** The resources that conditions depend on, by kind. */
export type MonitoredKinds = Partial<Readonly<Record<KindName, MonitoredKind>>>

/** Follows the resources that the conditions of some kinds depend on. */
export interface HealthDependencies {
  /** An object that others watch (`awaitedBy`); `plural` names its resource. */
  resourceSeen(plural: string, object: KubernetesObject, initial: boolean): void
  resourceDeleted(plural: string, key: ObjectKey): void
  readonly reflectors: readonly Reflector[]
}

export interface HealthDependenciesOptions {
  readonly kinds: readonly KindName[]
  readonly monitored: MonitoredKinds
  /** Others watch these resources, so they need no second watch. */
  readonly awaitedBy: Partial<
    Readonly<Record<KindName, readonly { readonly resource: GroupVersionResource }[]>>
  >
  readonly namespace: string | undefined
  /** Creates a watch. Logs `whenAbsent` once if the cluster does not serve the resource. */
  readonly watch: (
    resource: GroupVersionResource,
    options: DependencyHandler & {
      readonly namespace: string | undefined
      readonly labelSelector: string | undefined
      readonly whenAbsent: { readonly message: string; readonly kind: string }
    },
  ) => Reflector
  /** Called when a relevant object has changed. */
  readonly changed: (kind: KindName, namespace: string) => void
}

type DependencyHandler = Pick<ReflectorHandler, 'upsert' | 'deleted'>

interface Follower extends DependencyHandler {
  readonly kind: KindName
  readonly dependency: HealthDependency
  readonly isWatched: boolean
}

/** Stores one number for each object. Objects in the first list are not changes. */
export const createHealthDependencies = (options: HealthDependenciesOptions): HealthDependencies => {
  const { kinds, monitored, awaitedBy, namespace, watch, changed } = options

  const followerOf = (kind: KindName, dependency: HealthDependency): Follower => {
    const { plural } = dependency.resource
    const known = new Map<string, number>()
    return {
      kind,
      dependency,
      isWatched: awaitedBy[kind]?.some(({ resource }) => resource.plural === plural) === true,
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
  const followers = kinds.flatMap(kind =>
    (monitored[kind]?.dependsOn ?? []).map(dependency => followerOf(kind, dependency)),
  )
  const watchedFollowers = (plural: string) =>
    followers.filter(({ isWatched, dependency }) => isWatched && dependency.resource.plural === plural)

  return {
    reflectors: followers
      .filter(({ isWatched }) => !isWatched)
      .map(({ kind, dependency: { resource, labelSelector }, upsert, deleted }) =>
        watch(resource, {
          namespace,
          labelSelector,
          upsert,
          deleted,
          whenAbsent: {
            message: 'objects that conditions depend on are not served; conditions are checked on a timer',
            kind,
          },
        }),
      ),
    resourceSeen: (plural, object, initial) => {
      for (const { upsert } of watchedFollowers(plural)) upsert(object, { initial })
    },
    resourceDeleted: (plural, key) => {
      for (const { deleted } of watchedFollowers(plural)) deleted(key)
    },
  }
}
