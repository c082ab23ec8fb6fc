import type { Cluster, ManagedResource } from '../../contract/objects.ts'
import type { NotedWrite, ReadKubernetes, Secret, WrittenKubernetes } from '../../lifecycle/lifecycle.ts'

/** Something that a step writes, or waits for. */
export type Happening =
  | NotedWrite
  | { readonly verb: 'wait'; readonly waitsFor: string; readonly description: string }

export interface PlanToTell {
  readonly happenings: readonly Happening[]
  /** The ManagedResources before. */
  readonly observed: ReadonlyMap<string, ManagedResource>
  /** As all that has happened leaves it. */
  readonly server: WrittenKubernetes
  /** As it is. */
  readonly kubernetes: ReadKubernetes
  readonly input: {
    readonly namespace: string
    readonly cluster: Cluster
    readonly secret: Secret
    readonly signal: AbortSignal
  }
}
