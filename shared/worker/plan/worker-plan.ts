import type { PlannedWrite } from '../../lifecycle/lifecycle.ts'
import type { Difference } from '../rollout/differences.ts'
import type { HashCauses } from '../rollout/hash-causes.ts'
import type { MachinesAtOnce } from '../rollout/machines-at-once.ts'

/** What the next steps of a Worker do, in order. */
export interface WorkerPlan {
  readonly actions: readonly WorkerAction[]
  /** Pools that stay as they are, since something is wrong with them; nothing is deleted meanwhile. */
  readonly problems: readonly WorkerPlanProblem[]
  readonly machines: MachineCounts
  /** Each write that is not one to the Worker; what it holds may be secret. */
  readonly writes: readonly PlannedWrite[]
}

export interface WorkerPlanProblem {
  readonly pool: string
  readonly message: string
  /** Gardener's codes. */
  readonly codes: readonly string[]
}

/** How many machines, in all deployments. */
export interface MachineCounts {
  readonly replaced: number
  readonly updatedInPlace: number
  readonly made: number
  readonly deleted: number
}

/** Deployments of a pool to which the same happens are one action. */
export interface WorkerAction {
  readonly kind: 'create' | 'update' | 'replace' | 'delete' | 'wait'
  /** For people: `roll pool a: replace 6 machines, at most 3 more at once`. */
  readonly sentence: string
  /** Absent: it is of no pool. */
  readonly pool?: string
  readonly deployments: readonly DeploymentAction[]
  /** Why machines roll; absent: they do not. */
  readonly why?: HashCauses
  /** Fields that become others and are not why machines roll. None of a Secret. */
  readonly differences: readonly Difference[]
}

export interface DeploymentAction {
  readonly name: string
  /** Those that are made, replaced, updated in place or deleted; where machines stay, all. */
  readonly machines: number
  /** Absent: they stay as many. */
  readonly replicas?: { readonly from: number; readonly to: number }
  /** Of machines that roll. */
  readonly atOnce?: MachinesAtOnce
  /** Names of the former class and the one to come; `from` undefined: there is none. Absent: it stays. */
  readonly classes?: { readonly from: string | undefined; readonly to: string }
}
