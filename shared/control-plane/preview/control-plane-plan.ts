import type { PlannedWrite } from '../../lifecycle/lifecycle.ts'
import type { ObjectChange } from '../../resources/resources.ts'

/** The work of a ControlPlane's next steps, in order. Contains no secret. */
export interface ControlPlanePlan {
  readonly actions: readonly ControlPlaneAction[]
  /** All writes except those to the ControlPlane. Names that are not known yet end in `knownAfterCreate`. */
  readonly writes: readonly PlannedWrite[]
}

export interface ControlPlaneAction {
  readonly kind: 'create' | 'update' | 'delete' | 'wait'
  /** For users: `create the CA ca-provider-box`. */
  readonly sentence: string
  /** Reasons and changes besides objects, for users. */
  readonly notes: readonly string[]
  /** The cluster of a ManagedResource's objects. Absent: the action has no ManagedResource. */
  readonly cluster?: 'seed' | 'shoot'
  /** The changed objects of a ManagedResource, in its order. */
  readonly objects: readonly ObjectChange[]
}
