import { type Clock, parseTimestamp, type Timestamp } from '../../../shared/clock/clock.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'

/** A Knative object that must be ready, with the few fields that the bridge uses. */
interface FollowedObject<Fields> {
  readonly fields: Fields
  /** The time since which it is not ready; undefined: it is ready. */
  readonly unreadySince: Timestamp | undefined
  /** Its reason and message. */
  readonly why: string
}

/** The objects of one kind, by name. */
export interface FollowedObjects<Fields> {
  upsert(object: KubernetesObject): void
  deleted(key: ObjectKey): void
  all(): readonly Fields[]
  /** Returns why the object fails: it is not ready, or absent, for longer than a rollout takes. */
  failureOf(name: string): string | undefined
}

/** A rollout and an update of Knative take less, in ms. */
const graceMs = 60_000

/** Returns true if something was absent at every call for longer than a rollout takes. */
export const createAbsences = (clock: Pick<Clock, 'now'>): ((name: string, isAbsent: boolean) => boolean) => {
  const since = new Map<string, Timestamp>()
  return (name, isAbsent) => {
    if (!isAbsent) {
      since.delete(name)
      return false
    }
    const now = clock.now()
    const first = Math.min(since.get(name) ?? now, now)
    since.set(name, first)
    return now - first > graceMs
  }
}

export const createFollowedObjects = <Fields>(
  clock: Pick<Clock, 'now'>,
  kind: string,
  project: (object: KubernetesObject) => Fields,
  /** Returns true for an object that works although it is not ready. */
  works: (conditions: ReadonlyMap<string, KnativeCondition>) => boolean = () => false,
): FollowedObjects<Fields> => {
  const known = new Map<string, FollowedObject<Fields>>()
  const isMissing = createAbsences(clock)

  return {
    upsert: object => {
      const { name } = object.metadata
      const conditions = conditionsOf(object)
      const ready = conditions.get('Ready')
      const isReady = ready?.status === 'True' || works(conditions)
      const now = clock.now()
      // A restarted bridge continues to count, and no clock of the server counts from the future.
      const since = Math.min(
        parseTimestamp(ready?.lastTransitionTime ?? '') ?? now,
        known.get(name)?.unreadySince ?? now,
        now,
      )
      known.set(name, {
        fields: project(object),
        unreadySince: isReady ? undefined : since,
        why: [ready?.reason, ready?.message].filter(Boolean).join(': ') || 'its condition Ready is missing',
      })
    },
    deleted: ({ name }) => void known.delete(name),
    all: () => [...known.values()].map(({ fields }) => fields),
    failureOf: name => {
      const found = known.get(name)
      if (isMissing(name, found === undefined)) return `${kind} ${name} is missing`
      if (found?.unreadySince === undefined) return undefined
      // A clock that was set back continues from now.
      const unreadySince = Math.min(found.unreadySince, clock.now())
      known.set(name, { ...found, unreadySince })
      if (clock.now() - unreadySince <= graceMs) return undefined
      return `${kind} ${name} is not ready: ${found.why}`
    },
  }
}

interface KnativeCondition {
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
}

const conditionsOf = ({ status }: KubernetesObject): ReadonlyMap<string, KnativeCondition> => {
  const { conditions } = recordOf(status)
  return new Map(
    (Array.isArray(conditions) ? conditions : []).map(recordOf).map(condition => [
      stringOf(condition.type),
      {
        status: stringOf(condition.status),
        reason: stringOf(condition.reason),
        message: stringOf(condition.message),
        lastTransitionTime: stringOf(condition.lastTransitionTime),
      },
    ]),
  )
}
