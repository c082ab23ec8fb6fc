import type { Clock } from '../clock/clock.ts'
import type { ErrorCode } from '../contract/constants.ts'
import type { HealthDependency } from '../contract/health.ts'
import { recordOf, recordsOf } from '../decode/record-of.ts'
import type { Kubernetes, KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { ReadDeployment } from './read-deployments.ts'

/** The result of a check. A check that could not run throws instead. */
export type CheckResult =
  | { readonly kind: 'successful' }
  | {
      readonly kind: 'unsuccessful'
      /** A sentence without its final dot. */
      readonly detail: string
      readonly codes: readonly ErrorCode[]
    }
  | {
      readonly kind: 'progressing'
      readonly detail: string
      readonly codes: readonly ErrorCode[]
      /** Longest duration in milliseconds. Undefined: not allowed. */
      readonly thresholdMs: number | undefined
    }

/** The result of a check without a problem. */
export const successful: CheckResult = { kind: 'successful' }

/**
 * The result of a check that found a problem.
 *
 * @example
 * const result = objects.length > 0 ? successful : unsuccessful('the cloud has no load balancer')
 */
export const unsuccessful = (detail: string, codes: readonly ErrorCode[] = []): CheckResult => ({
  kind: 'unsuccessful',
  detail,
  codes,
})

/** The tools of a check, created for each run. */
export interface CheckContext {
  readonly object: KubernetesObject
  /** The namespace of the object; empty if it has none. */
  readonly namespace: string
  /** The Cluster of the shoot, unread: of any content. Undefined for objects of a seed or garden. */
  readonly cluster: KubernetesObject | undefined
  /** Reads only, with the permissions of the function's definition. */
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list'>
  /** Reads a Deployment of the namespace, once per run for all checks. */
  readonly deployment: ReadDeployment
  /** The API server of the shoot, opened at the first call. Rejects without a kubeconfig. */
  readonly shoot: () => Promise<Pick<Kubernetes, 'get' | 'list'>>
  readonly clock: Pick<Clock, 'now'>
  /** Aborts at the check's timeout. */
  readonly signal: AbortSignal
}

/** A check of a function's objects. */
export interface HealthCheck {
  /** Name for logs. */
  readonly name: string
  /**
   * Objects in the object's namespace that the check reads. The bridge watches them and orders the check when one
   * changes; nothing else shows a change before the next round. Default: those of the object's kind (`monitoredKinds`),
   * or none. Not for Secrets, and not for objects in the shoot, which the bridge cannot watch.
   */
  readonly reads?: readonly HealthDependency[]
  readonly run: (context: CheckContext) => Promise<CheckResult>
}

/** Changes of a check for one function. */
export interface CheckChanges {
  /** If it returns false, the check counts as successful and is not run. Default: it is always run. */
  readonly appliesIf?: (context: CheckContext) => boolean | Promise<boolean>
  /** Codes of a problem without codes. Default: none. */
  readonly codesOf?: (detail: string) => readonly ErrorCode[]
  /** A problem counts as progress for so long, in ms, before it counts as a problem. Default: never. */
  readonly thresholdMs?: number
}

/**
 * Returns the check with changes.
 *
 * @example
 * const check = adaptCheck(deploymentCheck('acme'), { appliesIf: hasWorkers, thresholdMs: 300_000 })
 */
export const adaptCheck = (
  check: HealthCheck,
  { appliesIf, codesOf = () => [], thresholdMs }: CheckChanges,
): HealthCheck => ({
  ...check,
  run: async context => {
    if (appliesIf !== undefined && !(await appliesIf(context))) return successful
    const result = await check.run(context)
    if (result.kind === 'successful') return result
    const codes = result.codes.length > 0 ? result.codes : codesOf(result.detail)
    return result.kind === 'unsuccessful' && thresholdMs !== undefined
      ? { kind: 'progressing', detail: result.detail, codes, thresholdMs }
      : { ...result, codes }
  },
})

/**
 * Returns true if the shoot has workers. Objects of a seed or garden have none.
 *
 * @example
 * const check = adaptCheck(podsCheck('app=acme-agent', { in: 'shoot' }), { appliesIf: hasWorkers })
 */
export const hasWorkers = ({ cluster }: Pick<CheckContext, 'cluster'>): boolean =>
  recordsOf(recordOf(recordOf(recordOf(recordOf(cluster?.spec).shoot).spec).provider).workers).length > 0

/** A condition and its checks. */
export interface CheckedCondition {
  /** One of `shootConditions`, which gardenlet copies to the Shoot, or a type of the author's with `own`. */
  readonly type: string
  /** True: not one of `shootConditions`, so it is visible only at the object. */
  readonly own?: true
  /** In the order of the condition's message. */
  readonly checks: readonly HealthCheck[]
}

/** The health checks of a function's objects, as data beside its definition. */
export interface HealthDefinition {
  readonly conditions: readonly CheckedCondition[]
  /** Types of former conditions to remove. Default: none. */
  readonly removes?: readonly string[]
}
