import type { ErrorKind } from '../../engine/engine.ts'
import { AwsError } from '../account/errors/aws-error.ts'

/**
 * Returns the kind of an EC2, IAM, EFS or load balancer error ("Error codes" of the EC2 API reference; the error lists
 * of the operations for the others).
 */
export const errorKindOf = (error: unknown): ErrorKind => {
  if (!(error instanceof AwsError)) return 'other'
  const { status } = error
  // Some SDK clients name their classes after the code, others append `Exception` or `Fault`.
  const code = error.code.replace(/(?:Exception|Fault)$/, '')
  if (isGone(code)) return 'gone'
  if (exists.has(code)) return 'exists'
  if (busy.has(code)) return 'busy'
  if (code === 'IdempotentParameterMismatch') return 'spent'
  // No response, or one from an intermediary. The call may have been executed.
  return status === undefined || status >= 500 ? 'uncertain' : 'other'
}

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
