import type { ObjectPlan } from '../../sandbox/providers/provider.ts'
import type { Clock, Timestamp } from '../../shared/clock/clock.ts'
import { clusterKind, type KindName } from '../../shared/contract/kinds.ts'
import { isInForce, pauseOf } from '../../shared/contract/pause.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf, kindRules, withShootPause } from '../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { PaintPlan, PlanJson } from '../../terraform-free-infra/engine/engine.ts'
import { resumeOf } from '../observe/observe.ts'
import { type PlanReading, planOne } from '../plan/plan-one.ts'
import type { PlannedKind } from '../plan/planned-kinds.ts'
import { type Survey, type SurveyedObject, type SurveyOptions, surveySeed } from '../survey/survey.ts'
import { type DriftWriter, retainingWriters, writersOf } from './writers.ts'

export interface DriftOptions
  extends Pick<PlanReading, 'connect' | 'env'>,
    Pick<SurveyOptions<unknown>, 'shoots' | 'kinds' | 'after' | 'parallel' | 'onProgress'> {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly planned: readonly PlannedKind[]
  /** Colours the texts of plans. Default: no colours. */
  readonly paint?: PaintPlan
  /** Ends the search. The report then has the objects before, and `next`. */
  readonly signal: AbortSignal
}

/** The differences between clouds and their objects in a seed, at one moment. */
export interface DriftReport extends Pick<Survey<unknown>, 'missing' | 'unread' | 'unplanned' | 'total'> {
  /** Settled objects whose next reconcile would change something. */
  readonly drifted: readonly DriftedObject[]
  /** Objects that are not settled, so that their plan is no drift. */
  readonly pending: readonly DriftNote[]
  /** Objects whose plan failed. */
  readonly unknown: readonly DriftNote[]
  /** Objects that match their cloud, which has more than they want: `why` is a sentence of the plan. */
  readonly beside: readonly DriftNote[]
  /** The number of objects that match their cloud. */
  readonly same: number
  /** Why the search ended early. Undefined: it is complete. */
  readonly ended?: string
  /** The place to pass as `after`, to continue a search that ended early. */
  readonly next?: string
}

interface DriftObjectId extends ObjectKey {
  readonly kind: KindName
  readonly type: string
}

export interface DriftNote extends DriftObjectId {
  readonly why: string
}

export interface DriftedObject extends DriftObjectId {
  readonly resources: readonly DriftedResource[]
  /** Resources that the next reconcile would not touch, and sentences about parts of others, as the plan says it. */
  readonly untouched: readonly unknown[]
  /** The programs that have changed its objects in Kubernetes. Empty: nothing tells who has changed it. */
  readonly writers: readonly DriftWriter[]
  /** The command that ends the pause of it or its shoot, which holds the reconcile. Absent: it is not paused. */
  readonly resume?: string
  /** The plan, for readers. */
  readonly text: string
}

/** A resource that differs. A plan of Kubernetes objects has their differences in `diff` or `objects`. */
export interface DriftedResource {
  /** The next action: `create`, `update`, … */
  readonly does: string
  readonly sentence: string
  readonly id?: string
  readonly fields: readonly DriftedField[]
}

/** Absent `found`: there is none. Absent `wanted`: the cloud chooses it (`knownAfterCreate`), or there should be none. */
export interface DriftedField {
  readonly field: string
  readonly found?: unknown
  readonly wanted?: unknown
  readonly knownAfterCreate?: true
}

interface DriftOfPlan {
  readonly stays: readonly string[]
  readonly drift?: Omit<DriftedObject, keyof DriftObjectId>
}

/** Every plan has actions of this shape; some kinds have more. */
type DriftPlanJson = PlanJson & { readonly problems?: readonly object[]; readonly stays?: readonly string[] }

/** Compares the settled objects of a seed with their clouds. Reads only. Throws if the API server cannot be reached. */
export const findDrift = async (options: DriftOptions): Promise<DriftReport> => {
  const { planned, connect, clock, env, paint = (_, text) => text, signal } = options
  const survey = await surveySeed<DriftOfPlan>({
    ...options,
    plan: async (object, given) => {
      const { kubernetes, read } = retainingWriters(given.kubernetes, object.metadata.namespace)
      const { plan } = await planOne(object, { planned, connect, env, ...given, kubernetes })
      const { stays = [] } = plan.json as DriftPlanJson
      if (!plan.differs) return { stays }
      const writers = writersOf(object, plan.json as DriftPlanJson, read)
      const resume = (await isPaused(object, kubernetes, clock.now())) && resumeOf(object, clock.now())
      const held = resume && { resume }
      return { stays, drift: { ...differenceOf(plan), writers, ...held, text: plan.text(paint) } }
    },
  })
  const { missing, unread, unplanned, total } = survey
  const found = {
    drifted: [] as DriftedObject[],
    ...{ pending: [] as DriftNote[], unknown: [] as DriftNote[], beside: [] as DriftNote[] },
  }
  let same = 0
  let next: string | undefined
  const sort = ({ unsettled, outcome, ...id }: SurveyedObject<DriftOfPlan>): void => {
    if (unsettled !== undefined) found.pending.push({ ...id, why: unsettled })
    else if (outcome.kind === 'failed') found.unknown.push({ ...id, why: outcome.error })
    else if (outcome.kind !== 'planned') found.pending.push({ ...id, why: 'it was deleted meanwhile' })
    else if (outcome.plan.drift !== undefined) found.drifted.push({ ...id, ...outcome.plan.drift })
    else {
      same += 1
      found.beside.push(...outcome.plan.stays.map(why => ({ ...id, why })))
    }
  }
  const report = () => ({ ...found, same, missing, unread, unplanned, total })
  try {
    for await (const { place, objects } of survey.results()) {
      objects.forEach(sort)
      next = place
    }
    return report()
  } catch (error) {
    if (!signal.aborted) throw error
    const from = next ?? options.after
    return { ...report(), ended: messageOf(signal.reason), ...(from !== undefined && { next: from }) }
  }
}

const isPaused = async (
  object: KubernetesObject,
  kubernetes: Kubernetes,
  now: Timestamp,
): Promise<boolean> => {
  const { namespace: name } = object.metadata
  const hasShoot = name !== undefined && kindRules[object.kind as KindName].cluster !== 'never'
  const cluster = hasShoot ? await kubernetes.get(clusterKind.resource, { name }) : undefined
  const ofShoot = cluster && pauseOf(cluster.metadata)
  return isInForce(withShootPause(object.kind as KindName, factsOf(object), ofShoot, now).pause, now)
}

const differenceOf = (plan: ObjectPlan): Pick<DriftedObject, 'resources' | 'untouched'> => {
  const { actions, left = [], problems = [], stays = [] } = plan.json as DriftPlanJson
  return {
    resources: [
      ...actions.map(({ kind, sentence, id, changes, after: _, ...more }) => ({
        does: kind,
        sentence,
        ...(id !== undefined && { id }),
        fields: changes.map(({ attribute, before, after, knownAfterCreate }) => ({
          field: attribute,
          ...(before !== undefined && { found: before }),
          ...(after !== undefined && { wanted: after }),
          ...(knownAfterCreate && { knownAfterCreate }),
        })),
        ...more,
      })),
      ...problems.map(problem => ({
        does: 'missing',
        sentence: 'a pool has a problem',
        fields: [],
        ...problem,
      })),
    ],
    untouched: [...left, ...stays],
  }
}
