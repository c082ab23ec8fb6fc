import type { PlannedWrite } from '../../lifecycle/lifecycle.ts'
import type { ObjectChange } from '../../resources/resources.ts'

/** What the next steps of a ControlPlane do, in order. Holds no secret. */
export interface ControlPlanePlan {
  readonly actions: readonly ControlPlaneAction[]
  /** Each write that is not one to the ControlPlane; names that nobody knows yet end in `knownAfterCreate`. */
  readonly writes: readonly PlannedWrite[]
}

export interface ControlPlaneAction {
  readonly kind: 'create' | 'update' | 'delete' | 'wait'
  /** For people: `create the CA ca-provider-box`. */
  readonly sentence: string
  /** Why, and what changes beside objects; for people. */
  readonly notes: readonly string[]
  /** Of a ManagedResource: where its objects are. Absent: the action is of something else. */
  readonly cluster?: 'seed' | 'shoot'
  /** Of a ManagedResource: those of its objects that change, in their order. */
  readonly objects: readonly ObjectChange[]
}
