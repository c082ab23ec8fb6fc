import type { GardenShoot } from '../../gardenlet/gardenlet.ts'
import type { CloudSide, CloudSideOptions } from '../cloud-side.ts'

/** A cloud with everything that people do to it. */
export interface RandomCloud extends CloudSide {
  /** Returns shoot 0, 1, … with names and ranges of its own. */
  shootNumber(index: number): GardenShoot
  /** Changes of a shoot that its user may request, by a name in words. `pick` chooses a value. */
  readonly changes: Readonly<Record<string, (shoot: GardenShoot, pick: number) => GardenShoot>>
  /**
   * Changes of a shoot's resources that the functions repair, by a name in words. Each returns the changed resource, or
   * undefined if there is none.
   */
  readonly accidents: Readonly<Record<string, (pick: number) => Promise<string | undefined>>>
  /** Refuses the credentials of all shoots until the returned function is called. */
  refuseCredentials(): () => void
  /** From now on, `landscape.credentials` are others, and the cloud refuses the former. */
  changeCredentials(): void
  /** Returns true for a call of a function that works for shoots, and not for their seed. */
  isOfShoot(about: string): boolean
  /** Creates resources that do not belong to any shoot. */
  addForeign(): Promise<void>
  /** The number of write calls of functions and machine controllers so far. */
  writes(): number
}

/** A cloud that a plan can name. */
export interface NamedCloud {
  readonly name: string
  readonly create: (options: CloudSideOptions) => RandomCloud
  /** The names of `changes` and `accidents`, for plans that are created before a cloud. */
  readonly changes: readonly string[]
  readonly accidents: readonly string[]
}
