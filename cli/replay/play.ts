import type { CallFailure } from '../../sandbox/providers/provider.ts'
import type { CloudCall } from '../../sandbox/seed/seed.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { Call } from '../../shared/journal/journal.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { credentialsRefOf, secrets } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import type { ChosenFunction } from './choose-function.ts'
import type { RecordedStep } from './journal/recorded-step.ts'
import { nextEvent } from './next-event.ts'
import { precedingRunOf } from './preceding-run.ts'
import type { RecordedRequest } from './process/record-requests.ts'
import { omittedParts } from './related-objects.ts'
import type { ReplayEnvironment } from './replay-environment.ts'
import type { ReplayedEvent } from './replayed-event.ts'
import { createScrub } from './scrub.ts'
import { watchKubernetes } from './watched-kubernetes.ts'

/**
 * Returns the calls of a step to a cloud that failed, each with its place among the calls of its operation. A repeated
 * attempt is a call of its own, as it was in the step.
 */
const failedCalls = (calls: readonly Call[]): readonly CallFailure[] => {
  const counts = new Map<string, number>()
  return calls.flatMap(({ to, name, status, error }) => {
    const [service, action] = name.split(' ')
    if (to !== 'cloud' || service === undefined || action === undefined) return []
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    if (error === undefined) return []
    return [{ service, action, nth, status: /^\d+$/.test(status) ? Number(status) : undefined, code: error }]
  })
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The longest simulated past, in ms: the steps before an event must end before it. */
const precedingMs = 3_600_000

export interface Play {
  readonly file: string
  readonly event: ExtensionEvent
  readonly chosen: ChosenFunction
  /** True if the objects are those of a live cluster. */
  readonly live: boolean
  /** True if no event of the same object was replayed in this environment before. */
  readonly first: boolean
  /** True if the object is already as the last event left it, and this event only follows it. */
  readonly follows?: boolean
  /** The step of the event in a journal: the Cluster at that moment, and the calls that failed. */
  readonly recorded?: RecordedStep | undefined
}

export interface Result {
  readonly replayed: ReplayedEvent
  /** The event that the bridge would send next; undefined if the object is not due, or the step failed. */
  readonly next: ExtensionEvent | undefined
}

/**
 * Replays one event with a function in an environment, and returns the result.
 *
 * @param takeRequests returns the HTTP requests of this process since its last call
 */
export const play = async (
  environment: ReplayEnvironment,
  { file, event, chosen, live, first, follows = false, recorded }: Play,
  takeRequests?: () => readonly RecordedRequest[],
): Promise<Result> => {
  const cloud = environment.cloud(chosen.provider)
  const beside = recorded?.cluster === undefined ? [] : [recorded.cluster]
  const assumed = first && cloud.startsEmpty && (await makePrecedingRun(environment, event, chosen, beside))
  const simulateOthers = () => environment.simulateOthers(chosen.kind)
  if (follows) environment.clock.moveTo(Date.parse(event.time))
  else {
    environment.prepare(event, chosen.provider, { beside })
    await simulateOthers()
  }
  const watched = watchKubernetes(environment.kubernetes)
  const calls: CloudCall[] = []
  cloud.onCall(call => calls.push(call))
  const { resource } = kinds[chosen.kind]
  const key = keyOf(event)

  const before = await environment.kubernetes.get(resource, key)
  if (before !== undefined) await learnSecret(watched.kubernetes, before)
  const learning = watched.reads()
  const handle = chosen.serve({
    kubernetes: watched.kubernetes,
    clock: environment.clock,
    log: silent,
    connection: cloud.connection,
  })
  // Those of the steps before the event are not its own.
  takeRequests?.()
  const failures = failedCalls(recorded?.outcome.calls ?? [])
  const withdraw = cloud.failAgain(failures)
  const outcome = await handle(event, new AbortController().signal)
  withdraw()
  const requests = takeRequests?.()
  const left = await environment.kubernetes.get(resource, key)
  await simulateOthers()

  // The names in a live seed are known to the user.
  const unknown = live ? new Map() : watched.unknownNames()
  const replayed = createScrub(
    watched.secretValues(),
    unknown,
  )({
    file,
    event,
    function: chosen.name,
    outcome,
    before,
    after: left ?? watched.lastWritten(resource, key),
    gone: before !== undefined && left === undefined,
    kubernetes: { reads: watched.reads() - learning, writes: watched.writes() },
    cloud: cloud.isThere
      ? {
          name: cloud.provider.name,
          title: cloud.provider.title,
          reads: calls.filter(call => call.isRead).length,
          writes: calls.filter(call => !call.isRead),
        }
      : undefined,
    ...(requests && { requests }),
    assumed,
    ...(recorded && { recorded: { ...recorded.outcome, failures: failures.length } }),
    omitted: live || follows ? [] : omittedParts(event.data),
  })
  // An Extension that is reconciled periodically would never end.
  const ends = event.kind === 'Extension' ? ['failed', 'succeeded'] : ['failed']
  const goesOn = outcome.kind === 'recorded' && !ends.includes(outcome.how)
  return { replayed, next: goesOn ? nextEvent(left, event, environment.clock.now()) : undefined }
}

/** Replays the events that created the resources in the object's status. Returns true if it did. */
const makePrecedingRun = async (
  environment: ReplayEnvironment,
  event: ExtensionEvent,
  chosen: ChosenFunction,
  beside: readonly KubernetesObject[],
): Promise<boolean> => {
  const preceding = precedingRunOf(event)
  if (preceding === undefined) return false
  const end = Date.parse(event.time)
  const start = new Date(end - precedingMs).toISOString()
  const { connection } = environment.cloud(chosen.provider)
  const handle = chosen.serve({
    kubernetes: environment.kubernetes,
    clock: environment.clock,
    log: silent,
    connection,
  })
  let next: ExtensionEvent | undefined = { ...preceding.event, time: start }
  environment.prepare(next, chosen.provider, { later: event.data, beside })
  while (next !== undefined && Date.parse(next.time) < end) {
    environment.clock.moveTo(Date.parse(next.time))
    const outcome = await handle(next, new AbortController().signal)
    if (outcome.kind !== 'recorded' || outcome.how === 'failed') return false
    await environment.simulateOthers(chosen.kind)
    const object = await environment.kubernetes.get(kinds[chosen.kind].resource, keyOf(event))
    if (preceding.isReached(object)) return true
    next = nextEvent(object, next, environment.clock.now())
  }
  return next === undefined
}

const keyOf = ({ name, namespace }: ExtensionEvent): ObjectKey => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

/** Adds the values of the object's Secret to the scrub, even if the function does not read it. */
const learnSecret = async (kubernetes: Kubernetes, object: KubernetesObject): Promise<void> => {
  const ref = credentialsRefOf(object)
  if (ref === undefined) return
  // An unreadable Secret has no values that could be printed.
  await kubernetes.get(secrets, ref).catch(() => undefined)
}
