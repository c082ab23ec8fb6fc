import type { LiveUpdate, Overview, ShootHistory } from '../../model/history.ts'
import type { FoundCall } from '../../view/search-history.ts'

/** An overview with the number of restarts of the server's store. */
export type LoadedOverview = Overview & { readonly era: number }

/** Where the page reads: a server, or the file itself. */
export interface ConsoleData {
  readonly overview: () => Promise<LoadedOverview>
  readonly history: (shoot: string) => Promise<ShootHistory>
  readonly search: (text: string) => Promise<readonly FoundCall[]>
  readonly plan: (object: string, destroy: boolean) => Promise<string>
  /** Calls back for new entries until the returned function is called. */
  readonly follow: (options: FollowedShoot) => () => void
}

export interface FollowedShoot {
  readonly shoot: string | undefined
  readonly era: number
  readonly after: number
  readonly onUpdate: (update: LiveUpdate) => void
  /** The server has forgotten its past: load everything again. */
  readonly onReset: () => void
  readonly onConnection: (isOpen: boolean) => void
}
