import type { V1LeaseSpec } from '@kubernetes/client-node'
import type { Timestamp } from '../clock/clock.ts'
import { formatMicroseconds } from '../clock/clock.ts'
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

/** What a Lease says. */
export interface Lease {
  /** `spec.holderIdentity`; '' when nobody holds it. */
  readonly holder: string
  /** How long after its last renewal others leave it alone. */
  readonly durationMs: number
  readonly acquireTime: string
  readonly renewTime: string
  /** How often it changed hands. */
  readonly transitions: number
}

/** Reads a Lease; whatever is missing or of another type counts as not set. */
export const leaseOf = ({ spec }: KubernetesObject): Lease => {
  const fields = typeof spec === 'object' && spec !== null ? (spec as Readonly<Record<string, unknown>>) : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    holder: text(fields.holderIdentity),
    durationMs: number(fields.leaseDurationSeconds) * 1000,
    acquireTime: text(fields.acquireTime),
    renewTime: text(fields.renewTime),
    transitions: number(fields.leaseTransitions),
  }
}

/** The spec with which `identity` takes or renews a lease that said `before`. */
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

/** The spec that leaves the lease to whoever comes next, as client-go writes it. */
export const releasedSpec = ({ transitions }: Lease, now: Timestamp): Json<V1LeaseSpec> => ({
  leaseDurationSeconds: 1,
  acquireTime: formatMicroseconds(now),
  renewTime: formatMicroseconds(now),
  leaseTransitions: transitions,
})
