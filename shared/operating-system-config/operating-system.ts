import type { Cluster, File, OperatingSystemConfig, Unit } from '../contract/objects.ts'

/** The parts of a script that are the same on every operating system. Each begins where the one before ends. */
export interface ScriptParts {
  /** Writes the files; begins with a newline unless it is empty, and ends without one. */
  readonly files: string
  /** Writes the units and their drop-ins; as `files`. */
  readonly units: string
  /** Enables and starts the units, a line for each; with a newline at its end unless it is empty. */
  readonly starts: string
}

/** What an operating system adds to the nodes of a pool, for its node agent. */
export interface NodeAdditions {
  readonly units?: readonly Unit[]
  readonly files?: readonly File[]
  /** How a machine gets the version that `spec.inPlaceUpdates` asks for. Absent: no machine is updated in place. */
  readonly inPlaceUpdates?: NonNullable<NonNullable<OperatingSystemConfig['status']>['inPlaceUpdates']>
}

/** What is special about an operating system. Pure: the same input, the same bytes. Throws a `CodedError` for a config that cannot be. */
export interface OperatingSystem {
  /** The user data of a new machine (purpose `provision`). */
  readonly userData: (input: {
    readonly object: OperatingSystemConfig
    readonly parts: ScriptParts
  }) => string
  /** What the machines of a pool need beside what Gardener wants of them (purpose `reconcile`). */
  readonly additions: (input: {
    readonly object: OperatingSystemConfig
    /** The shoot's; undefined in a plan of a config without one. */
    readonly cluster: Cluster | undefined
  }) => NodeAdditions
}
