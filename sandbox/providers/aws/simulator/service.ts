import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import type { MalformedRequest } from './codec/malformed.ts'
import type { WireRequest } from './codec/message.ts'
import type { ServiceModel } from './codec/model.ts'
import type { WireError } from './codec/wire-error.ts'
import type { Counted } from './faults/rates.ts'
import type { ServingEndpoint } from './lag/endpoints.ts'
import type { LateRows } from './lag/row-history.ts'
import type { Violation } from './serve/missing-members.ts'

/** The caller: the identity of a credential. */
export interface Principal {
  readonly accountId: string
  /** `arn:aws:iam::<account>:user/<name>`, `arn:aws:sts::<account>:assumed-role/<role>/<session>`. */
  readonly arn: string
  readonly userId: string
}

/** The context of an operation. */
export interface Call<State extends object> {
  /**
   * The service's state in the caller's account (and region, for a regional service). Operations change it in place.
   */
  readonly state: State
  readonly principal: Principal
  readonly region: string
  readonly clock: Clock
  readonly requestId: string
  /** The request as it was received. S3 reads its host. */
  readonly request: WireRequest
  /**
   * Returns the state of another service in the caller's account and region. Example: a load balancer's interfaces are
   * in EC2.
   */
  stateOf<Other extends object>(owner: StateOwner<Other>): Other
  /**
   * Returns the service's states (in this region, if it is regional) by account. Bucket names are unique across all
   * accounts.
   */
  everywhere(): ReadonlyMap<string, State>
  /**
   * Returns true if the caller may perform an action on the resource in the input. S3's DeleteObjects checks each key
   * separately.
   */
  may(action: string, input: Readonly<Record<string, unknown>>): boolean
  /**
   * True if the resource belongs to another account, and its policy allows the caller everything that the call needs.
   */
  readonly shared: boolean
  /** The endpoint that serves the call. Absent: it sees every write. */
  readonly endpoint?: ServingEndpoint
  /** Returns true if the endpoint does not know a row of the service yet: `isHidden('roles', 'nodes')`. */
  isHidden?(rows: string, id: string): boolean
  /** Returns a new identifier of the given length over the alphabet. */
  newId(length: number, alphabet?: string): string
  /** Creates temporary credentials for a principal. They are valid until `expires` (ms since the epoch). */
  newSession(principal: Principal, expires: number): SessionCredentials
}

export interface SessionCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
}

/**
 * An operation of a service. Takes the input from the codec, with all required members, and returns the output for the
 * codec. Refuses by throwing AwsError; it must not have changed anything then.
 */
export type Handler<State extends object> = (input: never, call: Call<State>) => object | Promise<object>

/** A service's wording of errors that do not originate in its operations. */
export interface Refusals {
  malformed(error: MalformedRequest): WireError
  unknownOperation(name: string): WireError
  /** The error for a feature that AWS has and the simulator lacks: `the parameter Backup`. */
  notBuilt(what: string): WireError
  /** The error for a body of more than `largest` bytes. */
  tooLarge(largest: number): WireError
  incomplete(violations: readonly Violation[]): WireError
  throttled(): WireError
  /** `resource` is the ARN of the resource, if the operation has one. */
  accessDenied(
    principal: Principal,
    action: string,
    resource: string | undefined,
    why: 'not allowed' | 'denied by the resource',
  ): WireError
  unknownKey(): WireError
  wrongSignature(detail?: string): WireError
  expiredSession(): WireError
  unsigned(): WireError
}

/** A request for a permission, with its caller. */
export interface PermissionQuestion<State extends object> {
  readonly principal: Principal
  readonly request: WireRequest
  readonly now: Timestamp
  /** Returns the service's states by account. */
  everywhere(): ReadonlyMap<string, State>
}

/**
 * The decision of a resource policy. `allow`: overrides the caller's own policies. `share`: the resource belongs to
 * another account, and the caller's own policies must allow it too. undefined: no statement matches.
 */
export type ResourceWord = 'deny' | 'allow' | 'share' | undefined

/** The part of a service that its state needs. */
export type StateOwner<State extends object> = Pick<Service<State>, 'model' | 'scope' | 'createState'>

/**
 * A simulated AWS service. Its state is plain JSON data, so an account can be saved and restored. Everything that
 * depends on time is computed from the clock when it is read.
 */
export interface Service<State extends object> {
  readonly model: ServiceModel
  /** A global service has one state per account, a regional one has one per region. */
  readonly scope: 'global' | 'regional'
  /** The `service` of the credential scope. Several services may share one (ELB and ELBv2). */
  readonly signingName: string
  /**
   * Returns the actions that a call needs permission for. Default: `<model's name>:<operation>`. Examples of others:
   * `s3:ListBucket` for ListObjectsV2, also `iam:PassRole` for an instance with a profile.
   */
  actionsOf?(operation: string, input: Readonly<Record<string, unknown>>): readonly string[]
  /** Returns the decision of the policy of the input's resource on an action. */
  resourcePolicy?(
    action: string,
    input: Readonly<Record<string, unknown>>,
    question: PermissionQuestion<State>,
  ): ResourceWord
  createState(): State
  /** The rows that calls may see late. EC2 has tables instead. */
  readonly lateRows?: LateRows
  /**
   * Returns read calls for data that no list without input shows, such as the records of each zone. Snapshots are
   * checked by them and by the lists. Set the region if a global service depends on it.
   */
  readsOf?(state: State): Iterable<readonly [operation: string, input: object, region?: string]>
  readonly handlers: Readonly<Record<string, Handler<State>>>
  readonly refusals: Refusals
  /** Operations that need no credentials: AssumeRoleWithWebIdentity. */
  readonly anonymous?: readonly string[]
  /** Operations that need credentials but no permission: GetCallerIdentity. */
  readonly unguarded?: readonly string[]
  /** Returns the tokens that a call takes from further buckets: `{ 'ec2:RunInstances/instances': 3 }`. */
  countedOf?(operation: string, input: Readonly<Record<string, unknown>>): Counted
  /** Returns the ARN of the operation's resource, for the text of a denial. */
  resourceOf?(operation: string, input: Readonly<Record<string, unknown>>): string | undefined
  /**
   * Returns the request for the codec. S3 joins the chunks of a body and checks its digests.
   *
   * @throws AwsError
   */
  unwrap?(request: WireRequest): WireRequest | Promise<WireRequest>
  /** Largest request body, in bytes. */
  readonly largestBody: number
}

/** An error of an operation, in AWS's words. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'
  readonly wire: WireError

  constructor(wire: WireError) {
    super(`${wire.code}: ${wire.message}`)
    this.wire = wire
  }
}

/** Returns the error to throw: `throw refuse('NoSuchHostedZone', 'No hosted zone found with ID: Z1')`. */
export const refuse = (code: string, message: string, extra: Omit<WireError, 'code' | 'message'> = {}) =>
  new ServiceError({ code, message, ...extra })
