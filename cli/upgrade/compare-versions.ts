import type { Clock } from '../../shared/clock/clock.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type SurveyProgress, surveySeed } from '../survey/survey.ts'
import { type PlanningVersion, planBoth } from './both-versions.ts'
import type { CloudCalls } from './cloud-calls.ts'
import type { ComparedObject } from './group-differences.ts'
import { type PlanDifference, planDifferences } from './plan-differences.ts'
import type { ProgressFile } from './progress-file.ts'

export interface CompareVersionsInput {
  readonly kubernetes: Kubernetes
  readonly versions: readonly [from: PlanningVersion, to: PlanningVersion]
  readonly calls: CloudCalls
  readonly progress: ProgressFile
  /** Technical names. Default: all. */
  readonly shoots?: readonly string[]
  readonly kinds?: readonly KindName[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress?: (progress: SurveyProgress) => void
}

/** The comparison of two versions for a seed. */
export interface Comparison {
  readonly objects: readonly ComparedObject[]
  readonly shoots: number
  /** Kinds that the API server does not let us read. */
  readonly unread: readonly string[]
  /** Objects of types without a plan. */
  readonly unplanned: readonly { readonly kind: string; readonly type: string; readonly count: number }[]
}

/**
 * Plans each live object of a seed with two versions. Reads only. An object that cannot be planned is part of the
 * result; the rest is planned.
 */
export const compareVersions = async (input: CompareVersionsInput): Promise<Comparison> => {
  const { versions, progress, kubernetes, clock, signal } = input
  const [from, to] = await Promise.all(versions.map(version => version.planned()))
  const own = from ?? []
  // A new version may have more kinds.
  const planned = [...own, ...(to ?? []).filter(({ kind }) => own.every(one => one.kind !== kind))]
  const survey = await surveySeed<readonly PlanDifference[]>({
    ...{ kubernetes, clock, planned, signal, plansUnsettled: true },
    ...(input.shoots && { shoots: input.shoots }),
    ...(input.kinds && { kinds: input.kinds }),
    ...(input.onProgress && { onProgress: input.onProgress }),
    except: progress.done,
    plan: async (object, given) => differencesOf(object, { ...input, ...given }),
  })
  const objects: ComparedObject[] = [...progress.objects]
  for await (const { place, objects: surveyed } of survey.results()) {
    const compared = surveyed.flatMap(({ kind, name, namespace, outcome }): readonly ComparedObject[] => {
      const object = { kind, name, ...(namespace !== undefined && { namespace }) }
      if (outcome.kind === 'failed') return [{ ...object, unknown: outcome.error }]
      return outcome.kind === 'planned' ? [{ ...object, differences: outcome.plan }] : []
    })
    objects.push(...compared)
    progress.add(place, compared)
  }
  const { shoots, unread, unplanned } = survey
  return { objects, shoots, unread, unplanned }
}

/** Plans again once if the object changes in between. */
const differencesOf = async (
  object: KubernetesObject,
  input: CompareVersionsInput,
  isRepeated = false,
): Promise<readonly PlanDifference[]> => {
  const { calls, kubernetes, signal } = input
  const plans = await planBoth(object, { ...input, calls: calls.forObject() })
  const now = await kubernetes.get(kinds[object.kind as KindName].resource, object.metadata, { signal })
  if (now === undefined || now.metadata.resourceVersion === object.metadata.resourceVersion)
    return planDifferences(object, plans)
  if (isRepeated)
    throw new Error('it changed twice while it was planned. Compare it again when it is at rest')
  return differencesOf({ ...now, kind: object.kind }, input, true)
}
