import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { PlannedWrite } from '../../lifecycle/lifecycle.ts'

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

/** An object that a ManagedResource has, will have, or has in another form. */
export interface ObjectChange {
  readonly kind: 'create' | 'update' | 'delete'
  readonly id: ObjectId
  /** Without secrets; undefined: there is none. */
  readonly before: KubernetesObject | undefined
  readonly after: KubernetesObject | undefined
  /** All that changes, where that is told in a sentence: checksums for which pods start anew, certificates to trust. */
  readonly summary: string | undefined
}

export interface ObjectId {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/** Stands for what follows from a key that only the step makes. */
export const knownAfterCreate = '(known after create)'
