import { podNetworks } from '../../contract/cluster-facts.ts'
import type { ErrorCode } from '../../contract/constants.ts'
import { CodedError, configurationProblem } from '../../contract/errors.ts'
import { minorVersionOf } from '../../contract/minor-version-of.ts'
import type { Cluster, ControlPlane } from '../../contract/objects.ts'
import { isRecord } from '../../decode/record-of.ts'
import { messageOf } from '../../text/message-of.ts'

/** The values of a shoot that components of any cloud depend on. */

/** The user has to change `spec.provider.controlPlaneConfig` of the shoot, or its networking. */
export const usersProblem: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM']

/** Runs a function and prefixes its error with the current task (docs/contract/control-plane.md#errors). */
export const withProblem = <T>(doing: string, codes: readonly ErrorCode[], work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new CodedError(`${doing}: ${messageOf(error)}`, { codes, cause: error })
  }
}

/** `spec.purpose` no longer exists, but a CRD of an older Gardener still allows it. */
export const refuseExposure = (spec: ControlPlane['spec']): void => {
  if (Reflect.get(spec, 'purpose') !== 'exposure') return
  throw configurationProblem(
    'spec.purpose: Gardener no longer supports ControlPlanes of purpose exposure. The ingress gateway of the seed exposes the API server. Delete this object',
  )
}

export interface KubernetesVersion {
  /** `1.33.3` */
  readonly text: string
  readonly major: number
  readonly minor: number
}

/** Returns the shoot's version of Kubernetes. Throws a `CodedError` if the shoot names none. */
export const readVersion = ({ metadata, spec: { shoot } }: Cluster): KubernetesVersion => {
  const text = shoot.spec?.kubernetes?.version ?? ''
  return withProblem(`could not read the Kubernetes version of shoot '${metadata.name}'`, [], () =>
    withProblem(`invalid version string '${text}'`, [], () => ({ text, ...minorVersionOf(text) })),
  )
}

export const isAtLeast = ({ major, minor }: KubernetesVersion, wanted: number): boolean =>
  major > 1 || (major === 1 && minor >= wanted)

export interface ShootNetworking {
  /** `IPv4`, `IPv6` in the shoot's order. Empty if the shoot names none. */
  readonly ipFamilies: readonly string[]
  readonly podRanges: readonly string[]
  /** True if pods of different nodes communicate through a tunnel. False: through routes of the cloud. */
  readonly hasOverlay: boolean
  readonly isCalico: boolean
}

/** Throws a `CodedError` for a network config with a malformed overlay setting. */
export const readNetworking = (cluster: Cluster): ShootNetworking => {
  const { networking } = cluster.spec.shoot.spec ?? {}
  return {
    ipFamilies: networking?.ipFamilies ?? [],
    podRanges: podNetworks(cluster),
    hasOverlay: withProblem('could not determine if overlay is enabled', usersProblem, () =>
      hasOverlay(networking?.providerConfig),
    ),
    isCalico: networking?.type === 'calico',
  }
}

const hasOverlay = (networkConfig: unknown): boolean => {
  if (!isRecord(networkConfig)) return true
  const { overlay } = networkConfig
  if (overlay === undefined || overlay === null) return true
  if (!isRecord(overlay)) throw new Error('overlay is not an object')
  if (typeof overlay.enabled !== 'boolean') throw new Error('overlay.enabled is not a boolean')
  return overlay.enabled
}
