import type { PlannedWrite } from '../../lifecycle/lifecycle.ts'
import type { Difference } from '../rollout/differences.ts'
import type { HashCauses } from '../rollout/hash-causes.ts'
import type { MachinesAtOnce } from '../rollout/machines-at-once.ts'

/** The actions of the next steps of a Worker, in order. */
export interface WorkerPlan {
  readonly actions: readonly WorkerAction[]
  /** Pools that are not changed because of a problem. Nothing is deleted meanwhile. */
  readonly problems: readonly WorkerPlanProblem[]
  readonly machines: MachineCounts
  /** The hashed values of each pool without a problem, by name, for a comparison of two versions. Absent: a deletion. */
  readonly hashed?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** All writes except those to the Worker. They may contain secrets. */
  readonly writes: readonly PlannedWrite[]
}

export interface WorkerPlanProblem {
  readonly pool: string
  readonly message: string
  /** Gardener's codes. */
  readonly codes: readonly string[]
}

/** Numbers of machines, in all deployments. */
export interface MachineCounts {
  readonly replaced: number
  readonly updatedInPlace: number
  readonly made: number
  readonly deleted: number
}

/** One action. Deployments of a pool with the same change share it. */
export interface WorkerAction {
  readonly kind: 'create' | 'update' | 'replace' | 'delete' | 'wait'
  /** A description for users: `roll pool a: replace 6 machines, at most 3 more at once`. */
  readonly sentence: string
  /** Absent: the action belongs to no pool. */
  readonly pool?: string
  readonly deployments: readonly DeploymentAction[]
  /** The cause of rolling machines. Absent: no machine rolls. */
  readonly why?: HashCauses
  /** Changed fields that are not the cause of rolling machines. Excludes those of a Secret. */
  readonly differences: readonly Difference[]
}

export interface DeploymentAction {
  readonly name: string
  /** The number of machines that are created, replaced, updated in place or deleted, or all if they stay. */
  readonly machines: number
  /** Absent: the number does not change. */
  readonly replicas?: { readonly from: number; readonly to: number }
  /** Limits of a rolling update. */
  readonly atOnce?: MachinesAtOnce
  /** Names of the former and the new class. `from` undefined: there was no class. Absent: the class does not change. */
  readonly classes?: { readonly from: string | undefined; readonly to: string }
}
