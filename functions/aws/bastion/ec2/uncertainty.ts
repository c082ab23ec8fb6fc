import type { Timestamp } from '../../../../shared/clock/clock.ts'
import { consistentAfterMs } from '../../../../terraform-free-infra/aws/account/consistent-after.ts'
import { isRefusal } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'

/**
 * A wait until EC2 shows what it has done. The API is eventually consistent, so for some time an answer may be older
 * than the last change ("Eventual consistency in the Amazon EC2 API", EC2 Developer Guide).
 */
export interface Uncertainty {
  /** The constant name of the wait: the lifecycle measures its duration. */
  readonly waitsFor: 'network' | 'group' | 'instance' | 'answers' | 'removal'
  /** For users. */
  readonly description: string
}

/** `until`: the end of the sentence "Waiting until …". */
export const uncertain = (waitsFor: Uncertainty['waitsFor'], until: string): Uncertainty => ({
  waitsFor,
  description: `Waiting until ${until}`,
})

export const isUncertain = (value: object): value is Uncertainty => 'waitsFor' in value

/** Decides how long a step accepts that EC2 does not show something. */
export interface UncertaintyBounds {
  /** Returns true while "not found" proves nothing about something that was created at that time. */
  readonly isYoung: (since: Timestamp) => boolean
  /** Returns true once the previous steps have waited for this too long. */
  readonly isOver: (waitsFor: Uncertainty['waitsFor']) => boolean
}

/** `waited`: the wait of the previous steps. It also ends a wait for something with a time in the future. */
export const patienceAt = (
  now: Timestamp,
  waited: { readonly for: string; readonly since: Timestamp } | undefined,
): UncertaintyBounds => {
  const isLong = waited !== undefined && now - waited.since >= consistentAfterMs
  return {
    isYoung: since => now < since + consistentAfterMs && !isLong,
    isOver: waitsFor => isLong && waited.for === waitsFor,
  }
}

/**
 * Returns true if EC2 does not know something that another answer has shown: the answers are of different times. The
 * AMI is not among them, because the CloudProfile names it.
 */
export const isInconsistent = (error: unknown): boolean =>
  isRefusal(
    error,
    'InvalidGroup.NotFound',
    'InvalidSecurityGroupID.NotFound',
    'InvalidSubnetID.NotFound',
    'InvalidVpcID.NotFound',
    'InvalidInstanceID.NotFound',
    // An earlier call with this token has started the instance, which is not listed yet.
    'IdempotentParameterMismatch',
  )
