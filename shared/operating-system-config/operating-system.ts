import type { Cluster, File, OperatingSystemConfig, Unit } from '../contract/objects.ts'

/** The parts of a script that all operating systems share. Each starts where the previous one ends. */
export interface ScriptParts {
  /** Writes the files. Starts with a newline unless it is empty, and ends without one. */
  readonly files: string
  /** Writes the units and their drop-ins, in the same form as `files`. */
  readonly units: string
  /** Enables and starts the units, one line each. Ends with a newline unless it is empty. */
  readonly starts: string
}

/** An operating system's additions to the nodes of a pool, for the node agent. */
export interface NodeAdditions {
  readonly units?: readonly Unit[]
  readonly files?: readonly File[]
  /** The machine's update to the version in `spec.inPlaceUpdates`. Absent: no machine is updated in place. */
  readonly inPlaceUpdates?: NonNullable<NonNullable<OperatingSystemConfig['status']>['inPlaceUpdates']>
}

/**
 * The specific part of an operating system. Pure: the same input gives the same bytes. Throws a `CodedError` for an
 * invalid config.
 */
export interface OperatingSystem {
  /** Returns the user data of a new machine (purpose `provision`). */
  readonly userData: (input: {
    readonly object: OperatingSystemConfig
    readonly parts: ScriptParts
  }) => string
  /** Returns additions to Gardener's content for the machines of a pool (purpose `reconcile`). */
  readonly additions: (input: {
    readonly object: OperatingSystemConfig
    /** The shoot's Cluster. Undefined in a plan of a config without one. */
    readonly cluster: Cluster | undefined
  }) => NodeAdditions
}
