import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { Cluster } from '../contract/objects.ts'

/** Where the rotation of the shoot's CAs stands (docs/contract/secrets-manager.md#rotation). */
export interface CaRotation {
  /** When it began. CAs that were made for another time, or for none, are old. */
  readonly startedAt: Timestamp
  /** Nobody needs the old CA any more: it counts no longer, wherever it still is. */
  readonly ignoresOld: boolean
}

/** The rotation that the Shoot tells of in its status; undefined: there never was one. */
export const caRotationOf = ({ spec: { shoot } }: Cluster): CaRotation | undefined =>
  rotationOfCredentials(shoot.status?.credentials)

/** As `caRotationOf`, of `status.credentials` of a Shoot or a Garden. */
export const rotationOfCredentials = (credentials: unknown): CaRotation | undefined => {
  const { lastInitiationTime, phase } = authoritiesOf(credentials)
  const startedAt = parseTimestamp(typeof lastInitiationTime === 'string' ? lastInitiationTime : undefined)
  return startedAt === undefined
    ? undefined
    : { startedAt, ignoresOld: phase === 'Completing' || phase === 'Completed' }
}

const authoritiesOf = (credentials: unknown): Readonly<Record<string, unknown>> =>
  fieldOf(fieldOf(credentials, 'rotation'), 'certificateAuthorities')

const fieldOf = (value: unknown, field: string): Readonly<Record<string, unknown>> => {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
  return typeof found === 'object' && found !== null ? found : {}
}
