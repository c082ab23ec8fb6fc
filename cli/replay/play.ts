import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/port.ts'
import type { Log } from '../../shared/lifecycle/actuator.ts'
import { secretRefOf, secrets } from '../../shared/lifecycle/secret-of.ts'
import { isRead } from '../narration/aws-call.ts'
import type { ChosenFunction } from './choose-function.ts'
import { nextEvent } from './next-event.ts'
import { pastOf } from './past.ts'
import type { AwsCall, Played } from './played.ts'
import { createScrub } from './scrub.ts'
import type { Stage } from './stage.ts'
import { omittedParts } from './surroundings.ts'
import { watchKubernetes } from './watched-kubernetes.ts'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The longest past that is made, in ms: what comes before an event has to be over when it comes. */
const pastMs = 3_600_000

export interface Play {
  readonly file: string
  readonly event: ExtensionEvent
  readonly chosen: ChosenFunction
  /** Whether the objects are those of a live cluster. */
  readonly live: boolean
  /** Whether no event of the same object was played on this stage before. */
  readonly first: boolean
  /** Whether the object stands already as the last event left it, and the event is only what follows from that. */
  readonly follows?: boolean
}

export interface Result {
  readonly played: Played
  /** What the bridge would send next; undefined when nothing is due, or the step failed. */
  readonly next: ExtensionEvent | undefined
}

/** Lets a function handle one event on a stage, and says what it did. */
export const play = async (
  stage: Stage,
  { file, event, chosen, live, first, follows = false }: Play,
): Promise<Result> => {
  const assumed = first && stage.startsEmpty && (await makePast(stage, event, chosen))
  if (follows) stage.clock.moveTo(Date.parse(event.time))
  else stage.prepare(event)
  const watched = watchKubernetes(stage.kubernetes)
  const calls: AwsCall[] = []
  stage.onCall(call => calls.push(call))
  const fn = chosen.create(stage)
  const { resource } = kinds[fn.kind]
  const key = keyOf(event)

  const before = await stage.kubernetes.get(resource, key)
  if (before !== undefined) await learnSecret(watched.kubernetes, before)
  const learning = watched.reads()
  const handle = fn.serve({ kubernetes: watched.kubernetes, clock: stage.clock, log: silent })
  const outcome = await handle(event, new AbortController().signal)
  const left = await stage.kubernetes.get(resource, key)

  const played = createScrub(watched.secretValues())({
    file,
    event,
    function: chosen.name,
    outcome,
    before,
    after: left ?? watched.lastWritten(resource, key),
    gone: before !== undefined && left === undefined,
    kubernetes: { reads: watched.reads() - learning, writes: watched.writes() },
    aws: { reads: calls.filter(isRead).length, writes: calls.filter(call => !isRead(call)) },
    assumed,
    omitted: live || follows ? [] : omittedParts(event.data),
  })
  const goesOn = outcome.kind === 'recorded' && outcome.how !== 'failed'
  return { played, next: goesOn ? nextEvent(left, event, stage.clock.now()) : undefined }
}

/** Lets the function make what the object's status says is there. Returns whether it did. */
const makePast = async (stage: Stage, event: ExtensionEvent, chosen: ChosenFunction): Promise<boolean> => {
  const past = pastOf(event)
  if (past === undefined) return false
  const end = Date.parse(event.time)
  const start = new Date(end - pastMs).toISOString()
  const fn = chosen.create(stage)
  const handle = fn.serve({ kubernetes: stage.kubernetes, clock: stage.clock, log: silent })
  let next: ExtensionEvent | undefined = { ...past.event, time: start }
  stage.prepare(next)
  while (next !== undefined && Date.parse(next.time) < end) {
    stage.clock.moveTo(Date.parse(next.time))
    const outcome = await handle(next, new AbortController().signal)
    if (outcome.kind !== 'recorded' || outcome.how === 'failed') return false
    const object = await stage.kubernetes.get(kinds[fn.kind].resource, keyOf(event))
    if (past.isReached(object)) return true
    next = nextEvent(object, next, stage.clock.now())
  }
  return next === undefined
}

const keyOf = ({ name, namespace }: ExtensionEvent): ObjectKey => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

/** Makes the values of the object's Secret known to the scrub, also when the function has no need of it. */
const learnSecret = async (kubernetes: Kubernetes, object: KubernetesObject): Promise<void> => {
  const ref = secretRefOf(object)
  if (ref === undefined) return
  // A Secret that cannot be read here has no values that could be printed.
  await kubernetes.get(secrets, ref).catch(() => undefined)
}
