import type { V1LeaseSpec } from '@kubernetes/client-node'
import type { Timestamp } from '../clock/clock.ts'
import { formatMicroseconds } from '../clock/clock.ts'
import { recordOf, stringOf } from '../decode/record-of.ts'
import type { GroupVersionResource, Json, KubernetesObject } from '../kubernetes/kubernetes.ts'

export const leases: GroupVersionResource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
}

export interface LeaseKey {
  readonly namespace: string
  readonly name: string
}

export interface Lease {
  /** `spec.holderIdentity`; '' without a holder. */
  readonly holder: string
  /** Others do not take the lease for this time after its last renewal. */
  readonly durationMs: number
  readonly acquireTime: string
  readonly renewTime: string
  /** Number of changes of the holder. */
  readonly transitions: number
}

/** Reads a Lease. Missing or invalid fields count as unset. */
export const leaseOf = ({ spec }: KubernetesObject): Lease => {
  const fields = recordOf(spec)
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    holder: stringOf(fields.holderIdentity),
    durationMs: number(fields.leaseDurationSeconds) * 1000,
    acquireTime: stringOf(fields.acquireTime),
    renewTime: stringOf(fields.renewTime),
    transitions: number(fields.leaseTransitions),
  }
}

/** Returns the spec with which `identity` takes or renews the lease `before`. */
export const heldSpec = (
  before: Lease | undefined,
  identity: string,
  durationMs: number,
  now: Timestamp,
): Json<V1LeaseSpec> => {
  const isMine = before?.holder === identity
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    acquireTime: isMine ? before.acquireTime : formatMicroseconds(now),
    renewTime: formatMicroseconds(now),
    leaseTransitions: before === undefined ? 0 : before.transitions + (isMine ? 0 : 1),
  }
}

/** Returns the spec of a released lease, as client-go writes it. */
export const releasedSpec = ({ transitions }: Lease, now: Timestamp): Json<V1LeaseSpec> => ({
  leaseDurationSeconds: 1,
  acquireTime: formatMicroseconds(now),
  renewTime: formatMicroseconds(now),
  leaseTransitions: transitions,
})
