import type { ActionName } from '../../../act/decide-action.ts'
import type {
  ListedEvent,
  LiveUpdate,
  Overview,
  ShootHistory,
  ShownAction,
  WrittenActions,
} from '../../model/history.ts'
import type { FoundCall } from '../../view/search-history.ts'

/** An overview with the number of restarts of the server's store. */
export type LoadedOverview = Overview & { readonly era: number }

export interface AskedAction {
  readonly action: ActionName
  readonly target: string
  readonly until?: string
  readonly reason?: string
}

/** Where the page reads: a server, or the file itself. */
export interface ConsoleData {
  readonly overview: () => Promise<LoadedOverview>
  readonly history: (shoot: string) => Promise<ShootHistory>
  readonly search: (text: string) => Promise<readonly FoundCall[]>
  /** Returns the Events of Kubernetes about an object, the newest first. */
  readonly events: (object: string) => Promise<readonly ListedEvent[]>
  readonly plan: (object: string, destroy: boolean) => Promise<string>
  /** True if the page has the key of its console. */
  readonly canAct: boolean
  /** Returns the actions that the kubeconfig allows for objects. */
  readonly allowed: (ids: readonly string[]) => Promise<readonly ActionName[]>
  /** Reads what an action will do. */
  readonly prepare: (asked: AskedAction) => Promise<ShownAction>
  /** Does what was shown. */
  readonly write: (id: string) => Promise<WrittenActions>
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
