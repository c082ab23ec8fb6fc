/**
 * A survey of the extension objects of a live seed: each is read, and something is planned for it, a few shoots at a
 * time. `trellis drift` and `trellis upgrade` are questions to the same survey.
 */
import { type Clock, followSignal, withinSignal } from '../../shared/clock/clock.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { isClaimed } from '../observe/observe.ts'
import type { PlannedKind } from '../plan/planned-kinds.ts'
import { inOrder } from './in-order.ts'
import { listShoots, type SurveyListing, type SurveyTarget } from './list-shoots.ts'
import { readOnce } from './read-once.ts'
import type { SurveyProgress } from './survey-progress.ts'
import { unsettledOf } from './unsettled.ts'

export { preferSmallHeap } from './prefer-small-heap.ts'
export { progressLine } from './progress-line.ts'
export { readOnce } from './read-once.ts'
export type { SurveyProgress } from './survey-progress.ts'

export interface SurveyOptions<P> {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  /** Kinds with plans: `plannedKindsOf`. Objects of other types are counted in `unplanned`. */
  readonly planned: readonly PlannedKind[]
  /** Technical names. Default: all shoots, and the objects of no shoot. */
  readonly shoots?: readonly string[]
  /** Default: all of `planned`. */
  readonly kinds?: readonly KindName[]
  /**
   * Plans an object that was just read, such as with `planOne`. Only its result is retained, so it returns what a
   * report needs. An error is the outcome of this object. `kubernetes` reads each Cluster and Secret once per shoot.
   */
  readonly plan: (object: KubernetesObject, given: SurveyGiven) => Promise<P>
  /** True to also plan objects that are not settled. Default: false. */
  readonly plansUnsettled?: boolean
  /**
   * The most shoots at the same time; the objects of a shoot follow one another, because they share an account.
   *
   * @default 4
   */
  readonly parallel?: number
  /** The longest time for one object, in ms. @default 120 000 */
  readonly limitMs?: number
  /** Resumes after the place of an earlier survey: `SurveyedShoot.place`. Default: begins at the first. */
  readonly after?: string
  /** Places that are not planned. Default: none. */
  readonly except?: ReadonlySet<string>
  readonly onProgress?: (progress: SurveyProgress) => void
  /** Ends the survey, which then throws the reason of the signal. */
  readonly signal: AbortSignal
}

export interface SurveyGiven {
  readonly kubernetes: Kubernetes
  readonly signal: AbortSignal
}

/** The survey of a seed, after its lists and before its plans. */
export interface Survey<P> extends Pick<SurveyListing, 'missing' | 'unread' | 'unplanned' | 'shoots'> {
  /** The number of objects to plan. */
  readonly total: number
  /**
   * Plans the objects. Shoots arrive in the order of their places, and the next ones wait until the reader asks, so
   * that memory has only a few. Ends its plans if the reader stops.
   */
  readonly results: () => AsyncGenerator<SurveyedShoot<P>, void>
}

/** The objects of one shoot; each object without a shoot is one by itself. */
export interface SurveyedShoot<P> {
  /** Pass it as `after` to resume with the next one. */
  readonly place: string
  /** The technical name. Undefined for an object of no namespace. */
  readonly shoot: string | undefined
  readonly objects: readonly SurveyedObject<P>[]
}

export interface SurveyedObject<P> extends ObjectKey {
  readonly kind: KindName
  /** `spec.type` */
  readonly type: string
  /**
   * The reason why its plan shows more than the state of the cloud: `its deletion is requested`. Undefined: it is
   * settled, before its plan and after it.
   */
  readonly unsettled?: string
  readonly outcome: SurveyOutcome<P>
}

/** `skipped`: it is not settled. `gone`: it was deleted since the list. */
export type SurveyOutcome<P> =
  | { readonly kind: 'planned'; readonly plan: P }
  /** `error`: for readers, without secrets if `planOne` has thrown it. */
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'gone' }

/**
 * Lists the objects of a seed and returns their survey. A refused or failed list and a failed plan are no errors: the
 * survey says so, and continues. Throws if the API server cannot be reached or refuses the credentials.
 *
 * @example
 * const survey = await surveySeed({ kubernetes, clock, planned, signal, plan: async object => object.metadata.name })
 * for await (const { objects } of survey.results()) console.log(objects)
 */
export const surveySeed = async <P>(options: SurveyOptions<P>): Promise<Survey<P>> => {
  const { after = '', except, parallel = 4, signal, onProgress } = options
  const { places, ...listing } = await listShoots(options)
  const left = places.filter(({ place }) => place > after && !except?.has(place))
  const total = left.reduce((sum, { objects }) => sum + objects.length, 0)
  return {
    ...listing,
    total,
    async *results() {
      const ended = followSignal(signal)
      let done = 0
      try {
        yield* inOrder(left, parallel, async ({ place, shoot, objects }): Promise<SurveyedShoot<P>> => {
          const kubernetes = readOnce(options.kubernetes, isShared)
          const surveyed: SurveyedObject<P>[] = []
          for (const each of objects) {
            surveyed.push({ ...each, ...(await outcomeOf(each, kubernetes, options, ended.signal)) })
            done += 1
            onProgress?.({ done, total })
          }
          return { place, shoot, objects: surveyed }
        })
      } finally {
        ended.abort(new Error('the survey has ended'))
        ended.release()
      }
    },
  }
}

type Outcome<P> = Pick<SurveyedObject<P>, 'unsettled' | 'outcome'>

/** Rejects only if the survey ends. */
const outcomeOf = async <P>(
  { kind, name, namespace }: SurveyTarget,
  kubernetes: Kubernetes,
  { plan, clock, plansUnsettled = false, limitMs = 120_000 }: SurveyOptions<P>,
  ended: AbortSignal,
): Promise<Outcome<P>> => {
  ended.throwIfAborted()
  const limit = followSignal(ended)
  const { signal } = limit
  const cancel = clock.after(limitMs, () =>
    limit.abort(new Error(`the plan did not end within ${limitMs / 1000} s; check that its cloud answers`)),
  )
  const read = async (): Promise<KubernetesObject | undefined> => {
    const key = { name, ...(namespace !== undefined && { namespace }) }
    return kubernetes.get(kinds[kind].resource, key, { signal })
  }
  const outcome = async (): Promise<Outcome<P>> => {
    const object = await read()
    if (object === undefined) return { outcome: { kind: 'gone' } }
    const unsettled = unsettledOf(kind, object, isClaimed(object), clock.now())
    if (unsettled !== undefined && !plansUnsettled) return { unsettled, outcome: { kind: 'skipped' } }
    const planned = await plan({ ...object, kind }, { kubernetes, signal }).then(
      (made): SurveyOutcome<P> => ({ kind: 'planned', plan: made }),
      (error: unknown): SurveyOutcome<P> => ({ kind: 'failed', error: messageOf(error) }),
    )
    signal.throwIfAborted()
    const now = await read()
    if (now === undefined) return { outcome: { kind: 'gone' } }
    const changed = stateOf(now) === stateOf(object) ? undefined : 'it changed while it was planned'
    const why = unsettled ?? unsettledOf(kind, now, isClaimed(now), clock.now()) ?? changed
    return { ...(why !== undefined && { unsettled: why }), outcome: planned }
  }
  try {
    // A planner may ignore its signal.
    return await withinSignal(signal, outcome())
  } catch (error) {
    ended.throwIfAborted()
    return { outcome: { kind: 'failed', error: messageOf(error) } }
  } finally {
    cancel()
    limit.abort()
    limit.release()
  }
}

/** Equal if no step and no user has changed the object. Health checks write conditions at any time. */
const stateOf = ({ metadata, status }: KubernetesObject): string =>
  JSON.stringify([metadata.uid, metadata.generation, (status as { lastOperation?: unknown })?.lastOperation])

/** Clusters, which are large, and Secrets, which all objects of a shoot read. */
const isShared = ({ plural }: { readonly plural: string }): boolean =>
  plural === clusterKind.resource.plural || plural === secrets.plural
