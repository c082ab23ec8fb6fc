import type { Classifier } from '../contract/classify.ts'
import type { Cluster, Worker, WorkerPool } from '../contract/objects.ts'
import type { Secret } from '../lifecycle/lifecycle.ts'

/** Interprets the cloud's error texts, which the machine controller repeats for failed machines. */
export interface MachineWords {
  /** Map texts to Gardener's codes. Default: no text has a code. */
  readonly classifiers?: readonly Classifier[]
  /**
   * Removes values that differ in every response of the cloud, such as request ids, so that the same failure has the
   * same text. Default: returns the text unchanged.
   */
  readonly stableText?: (text: string) => string
}

/**
 * The provider's part of a Worker: the MachineClass for the machines of each pool in each zone. Pure: called once in a
 * step, it reads and writes nothing. The flow does everything else.
 */
export interface MachineProvider extends MachineWords {
  /**
   * Throw a `CodedError` if `spec.providerConfig` or a similar input makes the whole Worker impossible, such as a
   * malformed infrastructure status. Return a `PoolProblem` if only one pool is affected.
   */
  readonly desired: (input: DesiredInput) => DesiredClasses
  /**
   * Returns a `providerSpec` with which the machine controller can delete the machines of a class that it refuses, or
   * undefined if it accepts the class. Called for classes that create no more machines. Default: the machine controller
   * accepts every class.
   */
  readonly deletable?: (
    providerSpec: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>> | undefined
  /** Default: machines need no other objects of the cloud. */
  readonly dependencies?: MachineDependencies
}

/**
 * Objects of the cloud that must exist before machines and outlive them, such as server groups. Their ids are in
 * `status.providerStatus`, so that they survive a migration, and `desired` reads them there.
 */
export interface MachineDependencies {
  /**
   * Creates the missing ones and saves them. Called in each step before classes are written. Returns the pools that
   * cannot have theirs: they are not changed.
   */
  readonly ensure: (context: DependencyContext) => Promise<readonly PoolProblem[]>
  /**
   * Deletes those that no pool needs, and saves the rest. Called at the end of a reconcile without problems, and at the
   * end of a deletion, when all machines are gone.
   */
  readonly remove: (context: DependencyContext) => Promise<void>
  /** Returns the known ones, which a forced deletion leaves behind: `server group x`. */
  readonly known: (worker: Worker) => readonly string[]
}

/** The context of `MachineDependencies`. */
export interface DependencyContext extends DesiredInput {
  /** The Secret with the credentials. */
  readonly secret: Secret | undefined
  /** True: an earlier step has ensured the dependencies, and no request has arrived since. */
  readonly resumed: boolean
  /** True: the Worker is being deleted and needs nothing. */
  readonly isDeleted: boolean
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
  /** Makes one change. A plan only notes the sentence for users, and returns undefined. */
  readonly change: <T>(change: DependencyChange, work: () => Promise<T>) => Promise<T | undefined>
  /** Saves `status.providerStatus`, as a whole, before the step continues. */
  readonly save: (providerStatus: Readonly<Record<string, unknown>>) => Promise<void>
}

/** One change of a dependency, for users. */
export interface DependencyChange {
  readonly kind: 'create' | 'delete'
  /** `create server group x with policy anti-affinity` */
  readonly sentence: string
  readonly pool: string
}

/** The input of `desired`. */
export interface DesiredInput {
  readonly worker: Worker
  readonly cluster: Cluster
  /** `shoot.status.technicalID`, the prefix of names and tags. */
  readonly technicalId: string
}

/** The pools with their classes, and the `providerStatus`. */
export interface DesiredClasses {
  /** One entry per pool of the spec, in its order. A problem of one pool does not affect the others. */
  readonly pools: readonly (PoolClasses | PoolProblem)[]
  /** The desired `status.providerStatus`, as a whole. Undefined: none. */
  readonly providerStatus: Readonly<Record<string, unknown>> | undefined
}

/**
 * The reason why a pool can have no machines. The pool is not changed, and nothing of the Worker is deleted meanwhile.
 */
export interface PoolProblem {
  readonly kind: 'problem'
  readonly pool: WorkerPool
  /** A `CodedError` with the pool, the field and the fix in its message. */
  readonly error: Error
}

/** The classes of one pool, one for each zone. */
export interface PoolClasses {
  readonly kind: 'classes'
  readonly pool: WorkerPool
  /**
   * Data that create a new class when they change, besides `nodeAgentSecretName` and the in-place hash, in hash order
   * (docs/contract/workers.md#hash).
   */
  readonly hashInputs: readonly HashInput[]
  /** One entry per zone of `pool.zones`, in its order. */
  readonly zones: readonly ZoneClass[]
  /**
   * True: `maxSurge` and `maxUnavailable` apply to each zone. Absent: they apply to the pool and are distributed over
   * its zones.
   */
  readonly limitsOfEachZone?: boolean
}

/** One value of the hash. A change of it rolls every node of the pool. */
export interface HashInput {
  /** A description for users: `data volume kubelet-dir: size`. */
  readonly name: string
  /**
   * The hashed value: `60Gi`. Undefined: not hashed, but an existing class may have been created with it, which the
   * plan then shows.
   */
  readonly datum: string | undefined
  /**
   * Returns the value that an existing MachineClass was created with, or undefined if the class does not contain it.
   * Only the plan calls it.
   */
  readonly observed?: (machineClass: MachineClassContent) => string | undefined
  /** The parts of the value, if they mean more to users. The plan shows them instead. */
  readonly parts?: readonly HashInput[]
}

/** The class of a pool in one zone. */
export interface ZoneClass {
  readonly zone: string
  readonly content: MachineClassContent
  /** Labels of the nodes. They override those of the pool. */
  readonly nodeLabels: Readonly<Record<string, string>>
}

/** The provider's part of a MachineClass. The flow sets the name, `credentialsSecretRef` and `secretRef`. */
export interface MachineClassContent {
  /** The complete labels. Others are removed. */
  readonly labels: Readonly<Record<string, string>>
  /** The machine controller: `AWS`. */
  readonly provider: string
  /** Replaced as a whole. */
  readonly providerSpec: Readonly<Record<string, unknown>>
  /** Node properties that the autoscaler expects; quantities in canonical form. Undefined: unknown (`{}`). */
  readonly nodeTemplate: NodeTemplate | undefined
}

/** `machine.sapcloud.io/v1alpha1` NodeTemplate. */
export interface NodeTemplate {
  readonly capacity: Readonly<Record<string, string>>
  readonly virtualCapacity?: Readonly<Record<string, string>>
  readonly instanceType: string
  readonly region: string
  readonly zone: string
  readonly architecture?: string
}
