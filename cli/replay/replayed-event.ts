import type { CloudCall } from '../../sandbox/seed/seed.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import type { ObjectWrite } from './watched-kubernetes.ts'

/** What came of one event. Holds no secret. */
export interface ReplayedEvent {
  readonly file: string
  readonly event: ExtensionEvent
  /** The name of the function. */
  readonly function: string
  readonly outcome: StepOutcome
  /** The object when the event came; undefined when it was not there. */
  readonly before: KubernetesObject | undefined
  /** After the step; of an object that is gone, as the last write left it. */
  readonly after: KubernetesObject | undefined
  /** It was there before, and is not any more. */
  readonly gone: boolean
  readonly kubernetes: { readonly reads: number; readonly writes: readonly ObjectWrite[] }
  /** The calls of the cloud of the function's provider; undefined: it has none. */
  readonly cloud:
    | {
        readonly name: string
        readonly title: string
        readonly reads: number
        readonly writes: readonly CloudCall[]
      }
    | undefined
  /** The cloud, or the API server, held what the object's status says was made, because nothing else was said about it. */
  readonly assumed: boolean
  /** Parts of the object that the event was too large for, when the object is the event's. */
  readonly omitted: readonly string[]
}

/** Whether the outcome stands in the object, and is none that somebody has to look at. */
export const wentWell = ({ outcome }: ReplayedEvent): boolean =>
  outcome.kind === 'recorded' && outcome.how !== 'failed'
