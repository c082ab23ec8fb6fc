import { recordOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type CheckedSeed, serverNow } from './checked-seed.ts'
import { conditionOf, conditionText, whyStale } from './conditions.ts'
import { podReasons, podsOf } from './pod-reasons.ts'

/** The state of a Deployment, as `kubectl rollout status` and its pods tell it. */
export interface DeploymentRollout {
  /** `complete`: all replicas have the present template and are available, and no pod fails. */
  readonly state: 'complete' | 'in progress' | 'failing' | 'unavailable' | 'no replicas'
  readonly wanted: number
  readonly available: number
  /** Why it is not complete; '' if it is, or if nothing says why. */
  readonly why: string
}

/**
 * Returns the state of a Deployment. Available replicas alone do not tell it: pods of the former template stay
 * available for as long as those of the present one cannot start.
 */
export const rolloutOf = (
  deployment: KubernetesObject,
  seed: Pick<CheckedSeed, 'reads' | 'server'>,
): DeploymentRollout => {
  const { replicas = 1 } = recordOf(deployment.spec)
  const status = recordOf(deployment.status)
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0)
  const wanted = count(replicas)
  const available = count(status.availableReplicas)
  const updated = count(status.updatedReplicas)
  const stale = whyStale(deployment)
  const progressing = conditionOf(deployment, 'Progressing')
  const stuck = progressing?.status === 'False' ? conditionText(progressing) : ''
  const ofPods = podReasons(podsOf(seed, deployment.metadata.name), serverNow(seed))
  const behind =
    updated < wanted
      ? `${updated} of ${wanted} replicas have the present template`
      : count(status.replicas) > updated
        ? `${count(status.replicas) - updated} pods of the former template are still there`
        : available < wanted
          ? `${available} of ${wanted} replicas are available`
          : ''
  const state =
    wanted === 0
      ? 'no replicas'
      : available === 0
        ? 'unavailable'
        : stale !== undefined || stuck !== '' || ofPods !== ''
          ? 'failing'
          : behind !== ''
            ? 'in progress'
            : 'complete'
  const reasons =
    state === 'unavailable' || available < wanted ? [stale, stuck, ofPods] : [stale, stuck, behind, ofPods]
  return {
    state,
    wanted,
    available,
    why: reasons.filter(reason => reason !== undefined && reason !== '').join('; '),
  }
}
