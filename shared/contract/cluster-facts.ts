import { valueAt } from '../decode/record-of.ts'
import { annotations } from './constants.ts'
import type { Cluster } from './schemas/cluster.ts'

/**
 * `spec.hibernation.enabled`: the desired state, reached or not.
 *
 * @example
 * const replicas = isHibernationEnabled(cluster) ? 0 : 1
 */
export const isHibernationEnabled = ({ spec: { shoot } }: Cluster): boolean =>
  shoot.spec?.hibernation?.enabled === true

/**
 * Returns true if hibernation is desired and reached.
 *
 * @example
 * if (isHibernated(cluster)) return
 */
export const isHibernated = (cluster: Cluster): boolean =>
  isHibernationEnabled(cluster) && cluster.spec.shoot.status?.hibernated === true

/**
 * Returns true if the shoot is entering or leaving hibernation.
 *
 * @example
 * if (isHibernatingOrWakingUp(cluster)) return
 */
export const isHibernatingOrWakingUp = (cluster: Cluster): boolean =>
  isHibernationEnabled(cluster) !== (cluster.spec.shoot.status?.hibernated === true)

/** Returns true if gardenlet gave up the shoot. It continues when the spec changes or a user requests a retry. */
export const isShootFailed = ({ spec: { shoot } }: Cluster): boolean =>
  shoot.status?.lastOperation?.state === 'Failed'

export const isShootDeleted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.metadata?.deletionTimestamp ?? undefined) !== undefined

/** The readable part of a Cluster that may be invalid otherwise. */
interface WithShootAnnotations {
  readonly spec: {
    readonly shoot: {
      readonly metadata?:
        | { readonly annotations?: Readonly<Record<string, string>> | null | undefined }
        | null
        | undefined
    }
  }
}

/**
 * Returns true if the Shoot has the confirmation that a delete may leave resources behind
 * (docs/contract/lifecycle.md#force-delete).
 */
export const isForceDeletionConfirmed = ({ spec: { shoot } }: WithShootAnnotations): boolean =>
  parseBool(shoot.metadata?.annotations?.[annotations.forceDeletionConfirmation]) === true

/**
 * Returns true if Gardener has credentials for the shoot's machines. Otherwise it does not manage them.
 *
 * @example
 * const usesCloud = hasManagedInfrastructure(cluster)
 */
export const hasManagedInfrastructure = ({ spec: { shoot } }: Cluster): boolean => {
  const { credentialsBindingName, secretBindingName } = Object(shoot.spec) as Readonly<
    Record<string, unknown>
  >
  return [credentialsBindingName, secretBindingName].some(name => name !== undefined && name !== null)
}

/**
 * Returns true if the API server runs on the shoot's machines: a worker pool says so.
 *
 * @example
 * const namespace = isSelfHosted(cluster) ? 'kube-system' : cluster.metadata.name
 */
export const isSelfHosted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).some(({ controlPlane }) => (controlPlane ?? undefined) !== undefined)

/**
 * Returns true if the Shoot has no worker pool: it has a control plane without nodes.
 *
 * @example
 * const nodes = isWorkerless(cluster) ? [] : objects
 */
export const isWorkerless = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).length === 0

/**
 * Returns the Kubernetes version of the shoot's control plane: `1.34.2`. A worker pool may have an older one. Throws an
 * Error if the Shoot has none.
 *
 * @example
 * const image = findImage([], 'dns-sync', kubernetesVersionOf(cluster))
 */
export const kubernetesVersionOf = ({ metadata, spec: { shoot } }: Cluster): string => {
  const version = shoot.spec?.kubernetes?.version
  if (!version) throw new Error(`the Shoot in the Cluster ${metadata.name} has no spec.kubernetes.version`)
  return version
}

/** Failures that the control plane of a shoot tolerates. */
export type FailureTolerance = 'node' | 'zone'

/**
 * Returns the shoot's failure tolerance. Undefined: its control plane is not highly available.
 *
 * @example
 * const replicas = failureToleranceOf(cluster) === undefined ? 1 : 2
 */
export const failureToleranceOf = ({ spec: { shoot } }: Cluster): FailureTolerance | undefined => {
  const type = valueAt(shoot.spec, 'controlPlane', 'highAvailability', 'failureTolerance', 'type')
  return type === 'node' || type === 'zone' ? type : undefined
}

/** Credentials of a shoot that are rotated in phases. */
export type RotatedCredentials = 'certificateAuthorities' | 'serviceAccountKey' | 'etcdEncryptionKey'

const rotationPhases = [
  'Preparing',
  'PreparingWithoutWorkersRollout',
  'WaitingForWorkersRollout',
  'Prepared',
  'Completing',
  'Completed',
] as const
/** A phase of the rotation of credentials (gardener/gardener, `pkg/apis/core/v1beta1/types_shoot.go`). */
export type RotationPhase = (typeof rotationPhases)[number]

/**
 * Returns the phase in the Shoot's status. Undefined: the credentials were never rotated, or the phase is unknown.
 *
 * @example
 * const isRotated = rotationPhaseOf(cluster, 'serviceAccountKey') === 'Completed'
 */
export const rotationPhaseOf = (
  { spec: { shoot } }: Cluster,
  credentials: RotatedCredentials,
): RotationPhase | undefined => {
  const phase = valueAt(shoot.status, 'credentials', 'rotation', credentials, 'phase')
  return rotationPhases.find(known => known === phase)
}

/**
 * Pod CIDRs: that of the spec, then those of the status, each once.
 *
 * @example
 * const args = podNetworks(cluster).map(cidr => `--cluster-cidr=${cidr}`)
 */
export const podNetworks = ({ spec: { shoot } }: Cluster): readonly string[] => {
  const wanted = shoot.spec?.networking?.pods
  const actual = shoot.status?.networking?.pods ?? []
  return [...new Set([...(wanted ? [wanted] : []), ...actual])]
}

/**
 * Name of the Secret with the generic kubeconfig, in the shoot's namespace.
 *
 * @example
 * const volume = kubeconfigVolume(genericKubeconfigSecretName(cluster), 'dns-sync')
 */
export const genericKubeconfigSecretName = ({ metadata }: Cluster): string =>
  metadata.annotations?.[annotations.genericTokenKubeconfigSecretName] ?? 'generic-token-kubeconfig'

/** Go's `strconv.ParseBool`. Returns undefined for texts that Go refuses. */
export const parseBool = (text: string | undefined): boolean | undefined => {
  if (text === undefined) return undefined
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false
  return undefined
}
