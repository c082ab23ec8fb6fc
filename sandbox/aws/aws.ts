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

export type { AccountSnapshot } from './accounts/account.ts'
export { SnapshotError } from './accounts/snapshot.ts'
export { detailsOf, isRead } from './calls/call-details.ts'
export { type CallLog, type CallRecord, redacted } from './calls/call-log.ts'
export { createCodec } from './codec/create-codec.ts'
export { fromSdkRequest } from './codec/sdk-message.ts'
export { newAccountLimits } from './ec2/core/limits.ts'
export type { FaultOrder } from './faults/fault.ts'
export { operatorCredentials } from './operator.ts'
export { addHostedZone, hostedZones } from './route53/inventory.ts'
export { isProblem, isWithin, parseName } from './route53/name.ts'
export { clientPackages, type StoredService, schemasText } from './schemas/stored-schemas.ts'
export type { Listening } from './serve/http.ts'
export { identify } from './serve/identify.ts'
export { createServices, scaledServices } from './services.ts'
export { isNotThere, type SimulatedAws, simulatedAws } from './simulated-aws.ts'
export { type AwsOptions, accountRates, createAws } from './simulator.ts'

// For the suites of other rooms, and benchmarks.

export { createCallLog } from './calls/call-log.ts'
export { createContext, type Ec2, resolveSettings } from './ec2/core/context.ts'
export { durationsOf } from './ec2/core/durations.ts'
export type { Ec2State } from './ec2/core/state.ts'
export { addIpamPool, failNatGateways } from './ec2/inventory.ts'
export { associateWithDefaultAcl, newDefaultAcl } from './ec2/network-acls/new-acl.ts'
export { heldByService } from './ec2/network-interfaces/held-by-service.ts'
export { newInterface } from './ec2/network-interfaces/new-interface.ts'
export type { Route, SecurityGroup, Vpc } from './ec2/rows/network.ts'
export type { Ec2Resource, Ec2Tag } from './ec2/rows/resource.ts'
export { rulesOf } from './ec2/security-groups/rules.ts'
export { faultSchema } from './faults/fault.ts'
export { createFaultList } from './faults/fault-list.ts'
export { type IamState, keyOf } from './iam/state.ts'
export { awsEnvironment } from './simulated-aws.ts'
