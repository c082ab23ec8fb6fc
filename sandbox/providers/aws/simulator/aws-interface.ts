import type { AccountSnapshot, AccountStore } from './accounts/account.ts'
import type { CallLog } from './calls/call-log.ts'
import type { NotBuiltList } from './calls/not-built-list.ts'
import type { FaultList } from './faults/fault-list.ts'
import type { MovableClock } from './movable-clock.ts'
import type { HttpOptions, Listening } from './serve/http.ts'
import type { SdkRequestHandler } from './serve/in-process.ts'

export interface Registration {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Name of the IAM user that the key belongs to; default `trellis`. */
  readonly user?: string
  /** Patterns of allowed actions (`route53:*`); default all. */
  readonly allow?: readonly string[]
}

/** An account of the simulator. */
export interface Account extends Pick<AccountStore, 'id' | 'state' | 'snapshot' | 'restore'> {
  /** Makes an access key of this account known: its signatures and permissions are checked from now on. */
  register(registration: Registration): void
  /** Makes a key unknown again. */
  revoke(accessKeyId: string): void
}

/** A simulated AWS. */
export interface Aws {
  /** In-process transport for SDK clients. */
  readonly requestHandler: SdkRequestHandler
  listen(options?: HttpOptions): Promise<Listening>
  /** An account by its number; the default account if none is given. */
  account(id?: string): Account
  /** The accounts that have been in use, by number. */
  accounts(): readonly string[]
  /**
   * A snapshot out of JSON that somebody gives.
   *
   * @throws SnapshotError
   */
  readSnapshot(value: unknown): AccountSnapshot
  readonly calls: CallLog
  readonly faults: FaultList
  /** What was asked for although the simulator does not have it; a test that meets something fails. */
  readonly notBuilt: NotBuiltList
  /** The simulator's time: the clock that it was made with, and what it was put forward since. */
  readonly clock: MovableClock
}
