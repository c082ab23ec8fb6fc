import { dependencyFacts, type HealthDependency } from '../../contract/health.ts'
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

/** Follows the resources that the conditions of some kinds depend on. */
export interface HealthDependencies {
  /** An object that others watch (`awaitedBy`); `plural` names its resource. */
  resourceSeen(plural: string, object: KubernetesObject, initial: boolean): void
  resourceDeleted(plural: string, key: ObjectKey): void
  readonly reflectors: readonly Reflector[]
}

export interface HealthDependenciesOptions {
  /** The kinds that others watch for. */
  readonly kinds: readonly KindName[]
  readonly reads: readonly HealthDependency[]
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
      readonly fieldSelector: string | undefined
      readonly whenAbsent: { readonly message: string }
    },
  ) => Reflector
  /** Called when an object of the dependency has changed. */
  readonly changed: (dependency: HealthDependency, namespace: string) => void
}

type DependencyHandler = Pick<ReflectorHandler, 'upsert' | 'deleted'>

interface Follower extends DependencyHandler {
  readonly dependency: HealthDependency
  readonly isWatched: boolean
}

/** Stores one number for each object. Objects in the first list are not changes. */
export const createHealthDependencies = (options: HealthDependenciesOptions): HealthDependencies => {
  const { kinds, reads, awaitedBy, namespace, watch, changed } = options
  const watched = kinds.flatMap(kind => awaitedBy[kind] ?? []).map(({ resource }) => resource)

  const followers = reads.map((dependency): Follower => {
    const { name, labelSelector, resource } = dependency
    const known = new Map<string, number>()
    const isOther = (key: ObjectKey) => name !== undefined && key.name !== name
    return {
      dependency,
      isWatched:
        labelSelector === undefined &&
        watched.some(({ group, plural }) => group === resource.group && plural === resource.plural),
      upsert: (object, { initial }) => {
        if (isOther(object.metadata)) return
        const id = idOf(object.metadata)
        const now = hashOf(dependencyFacts(resource.plural, object))
        if (known.get(id) === now) return
        known.set(id, now)
        if (!initial) changed(dependency, object.metadata.namespace ?? '')
      },
      deleted: key => {
        if (known.delete(idOf(key))) changed(dependency, key.namespace ?? '')
      },
    }
  })
  const watchedFollowers = (plural: string) =>
    followers.filter(({ isWatched, dependency }) => isWatched && dependency.resource.plural === plural)

  return {
    reflectors: followers
      .filter(({ isWatched }) => !isWatched)
      .map(({ dependency: { resource, name, labelSelector }, upsert, deleted }) =>
        watch(resource, {
          namespace,
          labelSelector,
          fieldSelector: name === undefined ? undefined : `metadata.name=${name}`,
          upsert,
          deleted,
          whenAbsent: {
            message: 'objects that conditions depend on are not served; conditions are checked on a timer',
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
