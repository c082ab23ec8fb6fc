import type { AccountSnapshot, AccountStore } from './accounts/account.ts'
import type { CallLog } from './calls/call-log.ts'
import type { NotBuiltList } from './calls/not-built-list.ts'
import type { FaultList } from './faults/fault-list.ts'
import type { MovableClock } from './movable-clock.ts'
import type { HttpOptions, Listening } from './serve/http.ts'
import type { SdkRequestHandler } from './serve/in-process.ts'

/** An access key with its permissions. */
export interface Registration {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Name of the IAM user that owns the key. Default: `trellis`. */
  readonly user?: string
  /** Patterns of allowed actions (`route53:*`). Default: all. */
  readonly allow?: readonly string[]
}

/** An account of the simulator. */
export interface Account extends Pick<AccountStore, 'id' | 'state' | 'snapshot' | 'present' | 'restore'> {
  /** Registers an access key of this account. Its signatures and permissions are verified from now on. */
  register(registration: Registration): void
  /** Removes a key. */
  revoke(accessKeyId: string): void
}

/** A simulated AWS. */
export interface Aws {
  /** In-process transport for SDK clients. */
  readonly requestHandler: SdkRequestHandler
  listen(options?: HttpOptions): Promise<Listening>
  /** Returns an account by its number. Default: the default account. */
  account(id?: string): Account
  /** The numbers of all used accounts. */
  accounts(): readonly string[]
  /**
   * Reads a snapshot from given JSON.
   *
   * @throws SnapshotError
   */
  readSnapshot(value: unknown): AccountSnapshot
  readonly calls: CallLog
  readonly faults: FaultList
  /** Requested features that the simulator does not support. A test fails if the list is not empty. */
  readonly notBuilt: NotBuiltList
  /** The simulator's time: the given clock, plus the time by which it was moved forward. */
  readonly clock: MovableClock
}
