import type { Aws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import type { ProvidedLocal } from '../../../../sandbox/providers/local/simulate.ts'
import type { ObjectPlan, PlanSurroundings } from '../../../../sandbox/providers/provider.ts'
import type { WorldRow } from '../../../../sandbox/simulation/oracle/oracle.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/** The cloud of a world. */
export interface WalkCloud {
  /** For troubles. */
  readonly simulated:
    | { readonly provider: 'aws'; readonly aws: Aws }
    | { readonly provider: 'local'; readonly local: ProvidedLocal }
  readonly connection: unknown
  rows(): readonly WorldRow[]
  /** Returns the names of resources, as plans contain them. */
  names(): readonly string[]
  /** Notes writes from now on. The returned function ends that, and returns them. */
  noteWrites(): () => readonly string[]
  /** The cloud's plan of an object. Undefined: plans of its kind do not read the cloud. */
  planOf(
    kind: string,
  ): ((object: KubernetesObject, given: PlanSurroundings) => Promise<ObjectPlan>) | undefined
  close(): void
}
