import type { GardenShoot, Landscape, SeedFacts } from '../gardenlet/gardenlet.ts'
import type { SeedFunction, SimulatedClouds } from '../seed/seed.ts'
import type { Invariants } from './invariants/invariants.ts'
import type { WorldException, WorldRow } from './oracle/oracle.ts'
import type { ConnectProcess } from './process/connect-process.ts'
import type { Random } from './random.ts'
import type { SimulationClock } from './simulation-clock.ts'

/** The cloud of a simulation: its content, its connections, and a shoot on it. */
export interface CloudSide {
  readonly clouds: SimulatedClouds
  /** By provider. */
  readonly connections: Readonly<Record<string, ConnectProcess>>
  readonly functionSettings: Readonly<Record<string, unknown>>
  /** Returns true if the function works with this cloud. */
  serves(fn: SeedFunction): boolean
  readonly seeds: { readonly first: SeedFacts; readonly second: SeedFacts }
  readonly landscape: Landscape
  readonly shoot: GardenShoot
  /** Observes the calls of functions from now on. Default: no one does. */
  observe?(invariants: Invariants): CloudObserver
  /** Permitted differences between worlds of this cloud. Default: none. */
  readonly exceptions?: readonly WorldException[]
  /** Returns everything in the cloud, with its ids. */
  contents(): readonly WorldRow[]
  /** Returns a copy of the whole cloud. */
  backUp(): unknown
  /** Returns the whole cloud to a copy. */
  restore(backup: unknown): void
  close(): void
}

export interface CloudSideOptions {
  readonly clock: SimulationClock
  readonly random: Random
  /** Time until reads of an eventually consistent cloud show a change, in ms. Default: 0. */
  readonly visibleAfterMs?: number | undefined
}

export type CreateCloudSide = (options: CloudSideOptions) => CloudSide

/** An observer of a cloud. It adds what it sees to the problems of the invariants. */
export interface CloudObserver {
  /** Checks a world at rest: what deletions have left, and what exists twice. */
  checkRest(): void
}
