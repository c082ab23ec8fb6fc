import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { Cluster } from '../contract/objects.ts'
import { recordOf, valueAt } from '../decode/record-of.ts'

/** The state of the shoot's CA rotation (docs/contract/secrets-manager.md#rotation). */
export interface CaRotation {
  /** The start time. CAs with another rotation time, or without one, are old. */
  readonly startedAt: Timestamp
  /** True if the old CA is no longer needed. It is ignored wherever it still exists. */
  readonly ignoresOld: boolean
}

/**
 * Returns the rotation in the Shoot's status, or undefined if there never was one.
 *
 * @example
 * const rotation = caRotationOf(cluster)
 */
export const caRotationOf = ({ spec: { shoot } }: Cluster): CaRotation | undefined =>
  rotationOfCredentials(shoot.status?.credentials)

/**
 * Like `caRotationOf`, for `status.credentials` of a Shoot or a Garden.
 *
 * @example
 * const rotation = rotationOfCredentials(cluster.spec.shoot.status?.credentials)
 */
export const rotationOfCredentials = (credentials: unknown): CaRotation | undefined => {
  const { lastInitiationTime, phase } = authoritiesOf(credentials)
  const startedAt = parseTimestamp(typeof lastInitiationTime === 'string' ? lastInitiationTime : undefined)
  return startedAt === undefined
    ? undefined
    : { startedAt, ignoresOld: phase === 'Completing' || phase === 'Completed' }
}

const authoritiesOf = (credentials: unknown): Readonly<Record<string, unknown>> =>
  recordOf(valueAt(credentials, 'rotation', 'certificateAuthorities'))
