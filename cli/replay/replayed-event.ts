import type { CloudCall } from '../../sandbox/seed/seed.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import type { RecordedOutcome } from './journal/recorded-step.ts'
import type { RecordedRequest } from './process/record-requests.ts'
import type { ObjectWrite } from './watched-kubernetes.ts'

/** The result of one event. Contains no secrets. */
export interface ReplayedEvent {
  readonly file: string
  readonly event: ExtensionEvent
  /** The name of the function. */
  readonly function: string
  readonly outcome: StepOutcome
  /** The object at the time of the event; undefined if it did not exist. */
  readonly before: KubernetesObject | undefined
  /** The object after the step; for a deleted object, after its last write. */
  readonly after: KubernetesObject | undefined
  /** True if the object existed before and was deleted. */
  readonly gone: boolean
  readonly kubernetes: { readonly reads: number; readonly writes: readonly ObjectWrite[] }
  /** The calls to the cloud of the function's provider; undefined: it has none. */
  readonly cloud:
    | {
        readonly name: string
        readonly title: string
        readonly reads: number
        readonly writes: readonly CloudCall[]
      }
    | undefined
  /** The HTTP requests of the step; undefined: the function could not send any. */
  readonly requests?: readonly RecordedRequest[]
  /** True if the cloud or the API server was filled from the object's status, because no other state was given. */
  readonly assumed: boolean
  /** The outcome in the journal of the event, and the number of calls that the simulated cloud refused as recorded. */
  readonly recorded?: RecordedOutcome & { readonly failures: number }
  /** The parts of the object that the event omitted because of its size, if the object is from the event. */
  readonly omitted: readonly string[]
}

/** Returns true if the outcome was written to the object, and is no failure. */
export const wentWell = ({ outcome }: ReplayedEvent): boolean =>
  outcome.kind === 'recorded' && outcome.how !== 'failed'
