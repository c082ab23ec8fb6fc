import type { Clock } from '../clock/clock.ts'
import type { ErrorCode } from '../contract/constants.ts'
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
  readonly namespace: string
  /** Reads only, with the permissions of the function's definition. */
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list'>
  /** Reads a Deployment of the namespace, once per run for all checks. */
  readonly deployment: ReadDeployment
  /** The API server of the shoot, opened at the first call. Rejects without a kubeconfig. */
  readonly shoot: () => Promise<Pick<Kubernetes, 'list'>>
  readonly clock: Pick<Clock, 'now'>
  /** Aborts at the check's timeout. */
  readonly signal: AbortSignal
}

/** A check of a function's objects. */
export interface HealthCheck {
  /** Name for logs. */
  readonly name: string
  readonly run: (context: CheckContext) => Promise<CheckResult>
}

/** A condition and its checks. */
export interface CheckedCondition {
  readonly type: string
  /** In the order of the condition's message. */
  readonly checks: readonly HealthCheck[]
}

/** The health checks of a function's objects, as data beside its definition. */
export interface HealthDefinition {
  readonly conditions: readonly CheckedCondition[]
  /** Types of former conditions to remove. Default: none. */
  readonly removes?: readonly string[]
}
