import type { Clock } from '../clock/clock.ts'
import type { ErrorCode } from '../contract/constants.ts'
import type { Kubernetes, KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { ReadDeployment } from './read-deployments.ts'

/** What a check found. One that could not be run throws instead. */
export type CheckResult =
  | { readonly kind: 'successful' }
  | {
      readonly kind: 'unsuccessful'
      /** A sentence without its dot. */
      readonly detail: string
      readonly codes: readonly ErrorCode[]
    }
  | {
      readonly kind: 'progressing'
      readonly detail: string
      readonly codes: readonly ErrorCode[]
      /** How long it may go on, in ms; undefined: not at all. */
      readonly thresholdMs: number | undefined
    }

export const successful: CheckResult = { kind: 'successful' }

export const unsuccessful = (detail: string, codes: readonly ErrorCode[] = []): CheckResult => ({
  kind: 'unsuccessful',
  detail,
  codes,
})

/** What a check may use. Everything in it belongs to one run alone. */
export interface CheckContext {
  readonly object: KubernetesObject
  /** Of the object. */
  readonly namespace: string
  /** Does what the function's definition names, and reads only. */
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list'>
  /** A Deployment of the namespace, read once in a run for all who ask. */
  readonly deployment: ReadDeployment
  /** The API server of the shoot, opened when it is first asked for. Rejects when nothing says how to reach it. */
  readonly shoot: () => Promise<Pick<Kubernetes, 'list'>>
  readonly clock: Pick<Clock, 'now'>
  /** Aborts when the check's time is over. */
  readonly signal: AbortSignal
}

export interface HealthCheck {
  /** In logs. */
  readonly name: string
  readonly run: (context: CheckContext) => Promise<CheckResult>
}

/** One condition, and what it is made of. */
export interface CheckedCondition {
  readonly type: string
  /** In the order in which they are told. */
  readonly checks: readonly HealthCheck[]
}

/** How the objects of a function are checked, as data beside its definition. */
export interface HealthDefinition {
  readonly conditions: readonly CheckedCondition[]
  /** Types of conditions that stood there once and are removed. Absent: none. */
  readonly removes?: readonly string[]
}
