import { type Clock, formatSeconds, parseTimestamp, type Timestamp, withinSignal } from '../clock/clock.ts'
import {
  type Condition,
  type ConditionUpdate,
  conditionOf,
  conditionsOf,
  updatedCondition,
} from '../contract/conditions.ts'
import { isChecked, refreshAfterMs, roundReason } from '../contract/health.ts'
import { clusterKind, type KindName, kinds } from '../contract/kinds.ts'
import {
  hasStatus,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
  refusalAdvice,
  startDeadline,
} from '../kubernetes/kubernetes.ts'
import {
  type Backend,
  type CheckWriter,
  type Facts,
  factsOf,
  type StepEvent,
  type StepOutcome,
} from '../lifecycle/lifecycle.ts'
import type { Log } from '../log/log.ts'
import { openShoot as openByKubeconfig, type ReachedShoot } from '../shoot/shoot.ts'
import { messageOf } from '../text/message-of.ts'
import { aggregate, type CheckOutcome, hibernated } from './aggregate.ts'
import type { CheckContext, CheckedCondition, HealthCheck, HealthDefinition } from './health-check.ts'
import { readDeployments } from './read-deployments.ts'

export interface HealthCheckDeps {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  readonly backend: Pick<Backend, 'kind' | 'types' | 'classes'>
  readonly definition: HealthDefinition
  /** Connects to the shoot. Default: with the kubeconfig in its namespace. */
  readonly openShoot?: typeof openByKubeconfig
  /** Decides when the check may write between the object's steps. Default: at once. */
  readonly writer?: CheckWriter
}

/** Timeout of a check in milliseconds. A longer wait for a shoot gives no more information. */
export const longestCheckMs = 15_000
/** Maximum attempts to merge conditions or repeat checks after concurrent writes. */
const tries = 5

/** The parts of an event that a check uses. */
type CheckEvent = Pick<StepEvent, 'name' | 'namespace'> & { readonly reason?: string }

/**
 * Checks the object of an event and writes only its conditions, without a claim, also during a step of the object
 * (docs/contract/health.md#when). Never throws.
 */
export const runHealthCheck = async (
  deps: HealthCheckDeps,
  event: CheckEvent,
  signal: AbortSignal,
): Promise<StepOutcome> => {
  try {
    for (let tried = 0; tried < tries; tried++) {
      const outcome = await checkOnce(deps, event, signal)
      if (outcome !== 'check again') return outcome
    }
    return { kind: 'busy', retryAfterSeconds: 1 }
  } catch (error) {
    const advice = refusalAdvice(error)
    return { kind: 'unrecorded', reason: messageOf(error), ...(advice !== undefined && { advice }) }
  }
}

const recorded = (how: 'gone' | 'not-ours' | 'nothing-to-do' | 'checked'): StepOutcome => ({
  kind: 'recorded',
  how,
})

const checkOnce = async (
  deps: HealthCheckDeps,
  { name, namespace = '', reason }: CheckEvent,
  signal: AbortSignal,
): Promise<StepOutcome | 'check again'> => {
  const { kubernetes, backend, definition } = deps
  const { resource } = kinds[backend.kind]
  const key: ObjectKey = namespace === '' ? { name } : { name, namespace }
  const object = await kubernetes.get(resource, key, { signal })
  if (object === undefined) return recorded('gone')
  const facts = factsOf(object)
  if (!isOurs(backend, facts)) return recorded('not-ours')
  if (!isChecked(facts)) return recorded('nothing-to-do')
  const isOfShoot = facts.extensionClass === 'shoot' && namespace !== ''
  const cluster = isOfShoot ? await clusterOf(kubernetes, namespace, signal) : undefined
  const found = isHibernationWanted(cluster)
    ? definition.conditions.map(({ type }) => [type, () => hibernated] as const)
    : await runChecks(deps, { object, namespace, cluster }, signal)
  const checked: CheckedObject = { read: object, found, refreshes: reason !== roundReason }
  if (deps.writer === undefined) return write(deps, key, checked, false, signal)
  const deadline = startDeadline(deps.clock, longestCheckMs, 'writing the health check', signal)
  try {
    return await deps.writer.write(isStale => write(deps, key, checked, isStale, signal), deadline.signal)
  } finally {
    deadline.release()
  }
}

const isOurs = ({ types, classes = ['shoot'] }: HealthCheckDeps['backend'], facts: Facts): boolean =>
  types.includes(facts.provider) && classes.some(name => name === facts.extensionClass)

/**
 * Reads the raw Cluster, without its schema: an error in a field that no check uses is not a health problem. Throws
 * without a Cluster.
 */
const clusterOf = async (
  kubernetes: Kubernetes,
  namespace: string,
  signal: AbortSignal,
): Promise<KubernetesObject> => {
  const cluster = await kubernetes.get(clusterKind.resource, { name: namespace }, { signal })
  if (cluster === undefined)
    throw new KubernetesError(404, 'NotFound', `the namespace ${namespace} of the shoot has no Cluster`)
  return cluster
}

const isHibernationWanted = (cluster: KubernetesObject | undefined): boolean =>
  fieldOf(cluster?.spec, 'shoot', 'spec', 'hibernation', 'enabled') === true

const fieldOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => Object(at)[name], value)

/** Returns the update of a condition, which depends on the previous condition. */
type FoundConditions = readonly (readonly [
  type: string,
  update: (object: KubernetesObject) => ConditionUpdate,
])[]

/** Runs all checks concurrently. Their shared connections end with them. */
const runChecks = async (
  { kubernetes, clock, log, definition, openShoot = openByKubeconfig }: HealthCheckDeps,
  { object, namespace, cluster }: Pick<CheckContext, 'object' | 'namespace' | 'cluster'>,
  signal: AbortSignal,
): Promise<FoundConditions> => {
  const deadline = startDeadline(clock, longestCheckMs, 'the check', signal)
  let opened: Promise<ReachedShoot> | undefined
  const context: CheckContext = {
    object,
    namespace,
    cluster,
    kubernetes,
    deployment: readDeployments(kubernetes, namespace, deadline.signal),
    shoot: async () => {
      opened ??= openShoot({ kubernetes, namespace, clock, signal: deadline.signal })
      return (await opened).kubernetes
    },
    clock,
    signal: deadline.signal,
  }
  const outcomesOf = async ({ type, checks }: CheckedCondition) => {
    const outcomes = await Promise.all(checks.map(check => outcomeOf(check, context, log)))
    const update = (present: KubernetesObject) => aggregate(outcomes, conditionIn(present, type), clock.now())
    return [type, update] as const
  }
  try {
    return await Promise.all(definition.conditions.map(outcomesOf))
  } finally {
    deadline.release()
    void opened?.then(
      shoot => shoot.close(),
      () => undefined,
    )
  }
}

const outcomeOf = async (check: HealthCheck, context: CheckContext, log: Log): Promise<CheckOutcome> => {
  try {
    return await withinSignal(context.signal, check.run(context))
  } catch (error) {
    const { namespace } = context
    log.debug('health check failed to run', { namespace, check: check.name, error })
    return { kind: 'not run', detail: messageOf(error) }
  }
}

interface CheckedObject {
  /** The object as the check read it. */
  readonly read: KubernetesObject
  readonly found: FoundConditions
  /** If true, an unchanged condition is rewritten when it is old. */
  readonly refreshes: boolean
}

/**
 * Writes the conditions, unless the object already has them. `isStale`: the object has changed since the check read it,
 * so this function reads it again first.
 */
const write = async (
  { kubernetes, clock, backend, definition }: HealthCheckDeps,
  key: ObjectKey,
  { read, found, refreshes }: CheckedObject,
  isStale: boolean,
  signal: AbortSignal,
): Promise<StepOutcome | 'check again'> => {
  const { resource } = kinds[backend.kind satisfies KindName]
  const types = found.map(([type]) => type)
  let object = read
  for (let tried = 0; tried < tries; tried++) {
    if (isStale || tried > 0) {
      const live = await kubernetes.get(resource, key, { signal })
      if (live === undefined || live.metadata.uid !== read.metadata.uid) return recorded('gone')
      if (!isChecked(factsOf(live))) return recorded('nothing-to-do')
      // A later check may already have reported. A repeated check finds the current conditions.
      if (types.some(type => !isSame(conditionIn(read, type), conditionIn(live, type)))) return 'check again'
      object = live
    }
    const updates: FoundUpdates = new Map([
      ...(definition.removes ?? []).map(type => [type, undefined] as const),
      ...found.map(([type, update]) => [type, update(object)] as const),
    ])
    const conditions = writtenConditions(object, updates, refreshes, clock.now())
    if (conditions === undefined) return recorded('checked')
    const { resourceVersion } = object.metadata
    const patch = { metadata: { resourceVersion }, status: { conditions } }
    try {
      await kubernetes.patch(resource, key, patch, { subresource: 'status', signal })
      return recorded('checked')
    } catch (error) {
      if (!hasStatus(error, 409, 404)) throw error
    }
  }
  return { kind: 'busy', retryAfterSeconds: 1 }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** New conditions by type. Undefined removes the condition. */
type FoundUpdates = ReadonlyMap<string, ConditionUpdate | undefined>

/** Returns the raw entries of `status.conditions`, valid or not. */
const entriesOf = ({ status }: KubernetesObject): readonly unknown[] => {
  const { conditions } = Object(status) as { readonly conditions?: unknown }
  return Array.isArray(conditions) ? conditions : []
}

const typeOf = (entry: unknown): unknown => (Object(entry) as { readonly type?: unknown }).type

/** Returns the condition of a type, or undefined if it is missing or invalid. */
const conditionIn = (object: KubernetesObject, type: string): Condition | undefined =>
  conditionOf(conditionsOf(object), type)

/**
 * Returns `status.conditions` with the updates, or undefined for no change. Conditions of others are copied unchanged,
 * also invalid ones.
 */
const writtenConditions = (
  object: KubernetesObject,
  updates: FoundUpdates,
  refreshes: boolean,
  now: Timestamp,
): readonly unknown[] | undefined => {
  const entries = entriesOf(object)
  const isThere = (type: string) => entries.some(entry => typeOf(entry) === type)
  let changed = false
  const made = new Map<unknown, Condition>()
  for (const [type, update] of updates) {
    const old = conditionIn(object, type)
    const updated = update && updatedCondition(type, old, update, now)
    const next = refreshes && updated && updated === old ? refreshed(updated, now) : updated
    changed ||= next === undefined ? isThere(type) : next !== old
    if (next !== undefined) made.set(type, next)
  }
  if (!changed) return undefined
  const kept = entries.flatMap(entry => {
    const type = typeOf(entry)
    if (typeof type !== 'string' || !updates.has(type)) return [entry]
    const next = made.get(type)
    // The first of two entries with the same type remains.
    made.delete(type)
    return next === undefined ? [] : [next]
  })
  return [...kept, ...made.values()]
}

/** Returns the condition with a new `lastUpdateTime`, or the same condition if it is not old. */
const refreshed = (condition: Condition, now: Timestamp): Condition => {
  const writtenAt = parseTimestamp(condition.lastUpdateTime) ?? 0
  // A condition from the future was written before a clock was set back. It looks fresh, but not to an observer that
  // waits for a newer one.
  return Math.abs(now - writtenAt) >= refreshAfterMs
    ? { ...condition, lastUpdateTime: formatSeconds(now) }
    : condition
}
