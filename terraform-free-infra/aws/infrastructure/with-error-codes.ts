import { codesOf } from '../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { CodedError, RequeueAfterError } from '../../../shared/contract/errors.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { ApplyError, type ErrorKind } from '../../engine/engine.ts'
import { AwsError } from '../account/errors/aws-error.ts'
import { withCodes } from '../account/errors/step-error.ts'
import { isAnyRecent, namesGiven, type RecentChanges } from './recent-changes.ts'

/**
 * Adds Gardener's error codes to a rejection. Used at the boundary of the actuator. An error that may only mean that
 * AWS does not show a recent change of the shoot yet gets no code, because most codes end the retries of a shoot.
 */
export const withErrorCodes = <T>(work: Promise<T>, changes?: RecentChanges): Promise<T> =>
  work.catch((error: unknown) => {
    const isLag = lagIn(changes)
    if (error instanceof AggregateError) throw withErrorCodesOfAll(error, isLag)
    throw error instanceof AwsError && isLag(error) ? error : withCodes(error)
  })

/** Returns a function that returns true for an error that a recent change may explain. */
const lagIn =
  (changes: RecentChanges | undefined): ((error: AwsError) => boolean) =>
  error =>
    changes !== undefined && mayBeLag(error) && isAnyRecent(changes) && !namesGiven(error.said, changes)

/** A subnet that was just deleted keeps its range for a while. */
const mayBeLag = (error: AwsError): boolean =>
  ['gone', 'exists'].includes(errorKindOf(error)) || error.code === 'InvalidSubnet.Conflict'

/** Collects the codes of all failed reads or actions, because each may have another cause. */
const withErrorCodesOfAll = (error: AggregateError, isLag: (error: AwsError) => boolean): unknown => {
  // Reads that were all delayed are waited for, like a single one.
  if (error.errors.every(one => one instanceof RequeueAfterError)) return error.errors[0]
  const codes = [...new Set(error.errors.flatMap(one => codesWithin(one, isLag)))].sort()
  const message = messageOfAll(error)
  if (codes.length > 0) return new CodedError(message, { codes, cause: error })
  return message === error.message ? error : new AggregateError(error.errors, message, { cause: error })
}

/**
 * An AWS error that several reads share, such as invalid credentials, is reported once. The error of actions is already
 * merged, and names all of them.
 */
const messageOfAll = (error: AggregateError): string => {
  if (error instanceof ApplyError) return error.message
  const firsts = new Map<string, string>()
  for (const one of error.errors) {
    const [said, message] = one instanceof AwsError ? [one.said, one.message] : [String(one), messageOf(one)]
    if (!firsts.has(said)) firsts.set(said, message)
  }
  return [...firsts.values()].join('; ')
}

/** Returns Gardener's codes of an error and of all errors inside it. */
export const errorCodesOf = (error: unknown): readonly ErrorCode[] =>
  error instanceof AggregateError ? error.errors.flatMap(one => errorCodesOf(one)) : codesWithin(error)

const codesWithin = (
  error: unknown,
  isLag: (error: AwsError) => boolean = () => false,
): readonly ErrorCode[] => {
  if (error instanceof AwsError) return isLag(error) ? [] : codesOf(withCodes(error))
  const own = codesOf(error)
  if (own.length > 0) return own
  return error instanceof Error && error.cause !== undefined ? codesWithin(error.cause, isLag) : []
}

/**
 * Returns the kind of an EC2, IAM, EFS or load balancer error ("Error codes" of the EC2 API reference; the error lists
 * of the operations for the others).
 */
export const errorKindOf = (error: unknown): ErrorKind => {
  // A throttled call says nothing about the attempt before it.
  if (error instanceof RequeueAfterError) return isRepeated(error.cause) ? 'uncertain' : 'other'
  if (!(error instanceof AwsError)) return 'other'
  const { status } = error
  // Some SDK clients name their classes after the code, others append `Exception` or `Fault`.
  const code = error.code.replace(/(?:Exception|Fault)$/, '')
  if (isGone(code)) return 'gone'
  if (exists.has(code)) return 'exists'
  if (busy.has(code)) return 'busy'
  if (code === 'IdempotentParameterMismatch') return 'spent'
  // No response, or one from an intermediary. The call may have been executed.
  return status === undefined || status >= 500 || error.repeated ? 'uncertain' : 'other'
}

const isRepeated = (error: unknown): boolean => error instanceof AwsError && error.repeated

const isGone = (code: string): boolean => /\.NotFound$/.test(code) || gone.has(code)

const gone: ReadonlySet<string> = new Set([
  'NatGatewayNotFound',
  'NoSuchEntity',
  'AccessPointNotFound',
  'LoadBalancerNotFound',
  'TargetGroupNotFound',
  'ListenerNotFound',
  'FileSystemNotFound',
  'MountTargetNotFound',
  'SubnetNotFound',
  'SecurityGroupNotFound',
  'Gateway.NotAttached',
])

const exists: ReadonlySet<string> = new Set([
  'EntityAlreadyExists',
  'FileSystemAlreadyExists',
  'InvalidGroup.Duplicate',
  'InvalidKeyPair.Duplicate',
  'InvalidPermission.Duplicate',
  'MountTargetConflict',
  'Resource.AlreadyAssociated',
  'RouteAlreadyExists',
  // Overlaps with a reservation that EC2 does not list yet, or with another owner's.
  'InvalidSubnetCidrReservation.Overlap',
])

const busy: ReadonlySet<string> = new Set([
  // EC2
  'DependencyViolation',
  'IncorrectState',
  'InvalidIPAddress.InUse',
  'InvalidSubnet.Conflict',
  // IAM
  'ConcurrentModification',
  'DeleteConflict',
  'EntityTemporarilyUnmodifiable',
  // EFS
  'DependencyTimeout',
  'FileSystemInUse',
  'IncorrectFileSystemLifeCycleState',
  'IncorrectMountTargetState',
  // Load balancers
  'ResourceInUse',
])

/** Returns the response of a call, or undefined if AWS reports that the requested resource does not exist. */
export const ifFound = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (errorKindOf(error) === 'gone') return undefined
    throw error
  }
}
