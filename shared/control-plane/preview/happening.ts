import type { Cluster, ManagedResource } from '../../contract/objects.ts'
import type { NotedWrite, ReadKubernetes, Secret, WrittenKubernetes } from '../../lifecycle/lifecycle.ts'

/** A write or a wait of a step. */
export type Happening =
  | NotedWrite
  | { readonly verb: 'wait'; readonly waitsFor: string; readonly description: string }

export interface RecordedPlan {
  readonly happenings: readonly Happening[]
  /** The ManagedResources before the plan. */
  readonly observed: ReadonlyMap<string, ManagedResource>
  /** The state after all writes of the plan. */
  readonly server: WrittenKubernetes
  /** The current state. */
  readonly kubernetes: ReadKubernetes
  readonly input: {
    readonly namespace: string
    readonly cluster: Cluster
    readonly secret: Secret
    readonly signal: AbortSignal
  }
}
