import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import type { MalformedRequest } from './codec/malformed.ts'
import type { WireRequest } from './codec/message.ts'
import type { ServiceModel } from './codec/model.ts'
import type { WireError } from './codec/wire-error.ts'
import type { Counted } from './faults/rates.ts'
import type { Violation } from './serve/missing-members.ts'

/** Who calls: the identity that a credential stands for. */
export interface Principal {
  readonly accountId: string
  /** `arn:aws:iam::<account>:user/<name>`, `arn:aws:sts::<account>:assumed-role/<role>/<session>`. */
  readonly arn: string
  readonly userId: string
}

/** What an operation may use beside its input. */
export interface Call<State extends object> {
  /** The service's state in the caller's account (and region, for a regional service); change it in place. */
  readonly state: State
  readonly principal: Principal
  readonly region: string
  readonly clock: Clock
  readonly requestId: string
  /** As it arrived: S3 goes by its host. */
  readonly request: WireRequest
  /** The state of another service in the caller's account and region: a load balancer's interfaces are EC2's. */
  stateOf<Other extends object>(owner: StateOwner<Other>): Other
  /** The service's states (in this region, if it is regional) by account: bucket names are taken in all of them. */
  everywhere(): ReadonlyMap<string, State>
  /**
   * Whether the caller has the permission for an action on what an input names: each key of S3's DeleteObjects is
   * looked at by itself.
   */
  may(action: string, input: Readonly<Record<string, unknown>>): boolean
  /** The policy of the resource, which is another account's, allows the caller all that the call needs. */
  readonly shared: boolean
  /** A fresh identifier of the given length over the alphabet. */
  newId(length: number, alphabet?: string): string
  /** Hands out temporary credentials for a principal; they are accepted until `expires` (ms since the epoch). */
  newSession(principal: Principal, expires: number): SessionCredentials
}

export interface SessionCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
}

/**
 * An operation of a service: from the input that the codec read (its required members are there) to the
 * output that the codec writes. Refuses by throwing AwsError; must then have changed nothing.
 */
export type Handler<State extends object> = (input: never, call: Call<State>) => object | Promise<object>

/** How a service words the refusals that no operation of its own makes. */
export interface Refusals {
  malformed(error: MalformedRequest): WireError
  unknownOperation(name: string): WireError
  /** AWS has it, the simulator has not: `the parameter Backup`. */
  notBuilt(what: string): WireError
  /** The body has more than `largest` bytes. */
  tooLarge(largest: number): WireError
  incomplete(violations: readonly Violation[]): WireError
  throttled(): WireError
  /** `resource` is the ARN that the operation is about, where it is about one. */
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

/** Who asks for a permission, and how. */
export interface PermissionQuestion<State extends object> {
  readonly principal: Principal
  readonly request: WireRequest
  readonly now: Timestamp
  /** The service's states by account. */
  everywhere(): ReadonlyMap<string, State>
}

/**
 * What the policy of a resource says. `allow`: whatever the caller's own policies say; `share`: the resource is of
 * another account, and the caller's own policies have to allow it too; undefined: nothing.
 */
export type ResourceWord = 'deny' | 'allow' | 'share' | undefined

/** As much of a service as its state needs. */
export type StateOwner<State extends object> = Pick<Service<State>, 'model' | 'scope' | 'createState'>

/**
 * A simulated AWS service. Its state is plain JSON data, so that an account can be saved and restored;
 * anything that moves with time is computed from the clock when it is read.
 */
export interface Service<State extends object> {
  readonly model: ServiceModel
  /** A global service has one state in an account, a regional one has one in each region. */
  readonly scope: 'global' | 'regional'
  /** The `service` of the credential scope; several services may share one (ELB and ELBv2). */
  readonly signingName: string
  /**
   * The actions that a call needs the permission for, where these are not just `<model's name>:<operation>`:
   * `s3:ListBucket` for ListObjectsV2, `iam:PassRole` too for an instance with a profile.
   */
  actionsOf?(operation: string, input: Readonly<Record<string, unknown>>): readonly string[]
  /** What the policy of the resource that an input names says of an action. */
  resourcePolicy?(
    action: string,
    input: Readonly<Record<string, unknown>>,
    question: PermissionQuestion<State>,
  ): ResourceWord
  createState(): State
  /**
   * Calls that read what no list shows that takes no input: the records of each zone. By them and by the lists a
   * snapshot is checked. The region matters where a global service looks at it.
   */
  readsOf?(state: State): Iterable<readonly [operation: string, input: object, region?: string]>
  readonly handlers: Readonly<Record<string, Handler<State>>>
  readonly refusals: Refusals
  /** Operations that need no credentials: AssumeRoleWithWebIdentity. */
  readonly anonymous?: readonly string[]
  /** Operations that need credentials but no permission: GetCallerIdentity. */
  readonly unguarded?: readonly string[]
  /**
   * What a call takes from buckets of its own beside the token for its action:
   * `{ 'ec2:RunInstances/instances': 3 }`.
   */
  countedOf?(operation: string, input: Readonly<Record<string, unknown>>): Counted
  /** The ARN that an operation is about, for the text of a denial. */
  resourceOf?(operation: string, input: Readonly<Record<string, unknown>>): string | undefined
  /**
   * Refuses a signature in the query that is none, or out of its time, in the service's words; before anybody asks
   * whose it is.
   *
   * @throws AwsError
   */
  checkPresigned?(request: WireRequest, now: Timestamp): void
  /**
   * The request as the codec is to see it: S3 takes the chunks of a body apart and checks its digests.
   *
   * @throws AwsError
   */
  unwrap?(request: WireRequest): WireRequest | Promise<WireRequest>
  /** Largest request body, in bytes. */
  readonly largestBody: number
}

/** An operation's refusal, in AWS's words. */
export class ServiceError extends Error {
  readonly wire: WireError

  constructor(wire: WireError) {
    super(`${wire.code}: ${wire.message}`)
    this.name = 'AwsError'
    this.wire = wire
  }
}

/** The error to throw: `throw refuse('NoSuchHostedZone', 'No hosted zone found with ID: Z1')`. */
export const refuse = (code: string, message: string, extra: Omit<WireError, 'code' | 'message'> = {}) =>
  new ServiceError({ code, message, ...extra })
