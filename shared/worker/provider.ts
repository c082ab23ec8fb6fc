import type { Classifier } from '../contract/classify.ts'
import type { Cluster, Worker, WorkerPool } from '../contract/objects.ts'

/** Interprets the cloud's error texts, which the machine controller repeats for failed machines. */
export interface MachineWords {
  /** Map texts to Gardener's codes. Default: no text has a code. */
  readonly classifiers?: readonly Classifier[]
  /**
   * Removes values that differ in every response of the cloud, such as request ids, so that the same failure has the same text.
   * Default: returns the text unchanged.
   */
  readonly stableText?: (text: string) => string
}

/**
 * What of a Worker is a cloud's business: which MachineClass the machines of each pool have in each zone. Pure: asked
 * once in a step, it reads and writes nothing. Everything else is the flow's.
 */
export interface MachineProvider extends MachineWords {
  /**
   * `spec.providerConfig` and its like that make the whole Worker impossible, such as a malformed infrastructure status, may
   * be thrown as `CodedError`; what concerns one pool is a `PoolProblem`.
   */
  readonly desired: (input: DesiredInput) => DesiredClasses
  /**
   * Returns a `providerSpec` with which the machine controller can delete the machines of a class that it refuses. Undefined: it
   * accepts the class. Called for classes that create no more machines. Default: the machine controller accepts every class.
   */
  readonly deletable?: (
    providerSpec: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>> | undefined
}

export interface DesiredInput {
  readonly worker: Worker
  readonly cluster: Cluster
  /** `shoot.status.technicalID`, which names and tags begin with. */
  readonly technicalId: string
}

export interface DesiredClasses {
  /** One for each pool of the spec, in its order: a problem of one leaves the others alone. */
  readonly pools: readonly (PoolClasses | PoolProblem)[]
  /** What `status.providerStatus` shall be, as a whole; undefined: it has none. */
  readonly providerStatus: Readonly<Record<string, unknown>> | undefined
}

/** Why a pool can have no machines. It stays as it is, and nothing of the Worker is deleted meanwhile. */
export interface PoolProblem {
  readonly kind: 'problem'
  readonly pool: WorkerPool
  /** `CodedError`, with the pool, the field and a way out in its message. */
  readonly error: Error
}

export interface PoolClasses {
  readonly kind: 'classes'
  readonly pool: WorkerPool
  /**
   * What besides `nodeAgentSecretName` (and the in-place hash) makes a new class, in the order in which it is hashed
   * (docs/contract/workers.md#hash).
   */
  readonly hashInputs: readonly HashInput[]
  /** One for each zone of `pool.zones`, in its order. */
  readonly zones: readonly ZoneClass[]
  /** `maxSurge` and `maxUnavailable` are each zone's, as they stand. Absent: the pool's, and zones have their shares. */
  readonly limitsOfEachZone?: boolean
}

/** One datum of the hash: a change of it makes every node of the pool roll. */
export interface HashInput {
  /** For people: `data volume kubelet-dir: size`. */
  readonly name: string
  /** What is hashed: `60Gi`. Undefined: nothing, but a class may have been made with it, which the plan then tells. */
  readonly datum: string | undefined
  /** The datum that a MachineClass as it is was made of; undefined: it does not tell, or has none. Only the plan asks. */
  readonly observed?: (machineClass: MachineClassContent) => string | undefined
  /** What the datum is made of, where people see more in that: the plan tells these in its place. */
  readonly parts?: readonly HashInput[]
}

export interface ZoneClass {
  readonly zone: string
  readonly content: MachineClassContent
  /** Labels of the nodes beside those of the pool; they win. */
  readonly nodeLabels: Readonly<Record<string, string>>
}

/** What a provider says of a MachineClass; name, `credentialsSecretRef` and `secretRef` are the flow's. */
export interface MachineClassContent {
  /** All of them: others are removed. */
  readonly labels: Readonly<Record<string, string>>
  /** For which machine controller: `AWS`. */
  readonly provider: string
  /** Replaced as a whole. */
  readonly providerSpec: Readonly<Record<string, unknown>>
  /** What the autoscaler expects of a node; quantities in canonical form. Undefined: nothing is known (`{}`). */
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
