import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/port.ts'
import type { Log } from '../../shared/lifecycle/actuator.ts'
import { secretRefOf, secrets } from '../../shared/lifecycle/secret-of.ts'
import { isRead } from '../narration/aws-call.ts'
import type { ChosenFunction } from './choose-function.ts'
import { pastOf } from './past.ts'
import type { AwsCall, Played } from './played.ts'
import { createScrub } from './scrub.ts'
import type { Stage } from './stage.ts'
import { omittedParts } from './surroundings.ts'
import { watchKubernetes } from './watched-kubernetes.ts'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export interface Play {
  readonly file: string
  readonly event: ExtensionEvent
  readonly chosen: ChosenFunction
  /** Whether the objects are those of a live cluster. */
  readonly live: boolean
  /** Whether no event of the same object was played on this stage before. */
  readonly first: boolean
}

/** Lets a function handle one event on a stage, and says what it did. */
export const play = async (stage: Stage, { file, event, chosen, live, first }: Play): Promise<Played> => {
  const assumed = first && stage.startsEmpty && (await makePast(stage, event, chosen))
  stage.prepare(event)
  const watched = watchKubernetes(stage.kubernetes)
  const calls: AwsCall[] = []
  stage.onCall(call => calls.push(call))
  const fn = chosen.create(stage)
  const { resource } = kinds[fn.kind]
  const key: ObjectKey = {
    name: event.name,
    ...(event.namespace !== undefined && { namespace: event.namespace }),
  }

  const before = await stage.kubernetes.get(resource, key)
  if (before !== undefined) await learnSecret(watched.kubernetes, before)
  const learning = watched.reads()
  const handle = fn.serve({ kubernetes: watched.kubernetes, clock: stage.clock, log: silent })
  const outcome = await handle(event, new AbortController().signal)
  const left = await stage.kubernetes.get(resource, key)

  return createScrub(watched.secretValues())({
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
    omitted: live ? [] : omittedParts(event.data),
  })
}

/** Lets the function make what the object's status says is there. Returns whether it did. */
const makePast = async (stage: Stage, event: ExtensionEvent, chosen: ChosenFunction): Promise<boolean> => {
  const past = pastOf(event)
  if (past === undefined) return false
  stage.prepare(past)
  const handle = chosen.create(stage).serve({ kubernetes: stage.kubernetes, clock: stage.clock, log: silent })
  const outcome = await handle(past, new AbortController().signal)
  return outcome.kind === 'recorded' && outcome.how === 'succeeded'
}

/** Makes the values of the object's Secret known to the scrub, also when the function has no need of it. */
const learnSecret = async (kubernetes: Kubernetes, object: KubernetesObject): Promise<void> => {
  const ref = secretRefOf(object)
  if (ref === undefined) return
  // A Secret that cannot be read here has no values that could be printed.
  await kubernetes.get(secrets, ref).catch(() => undefined)
}
