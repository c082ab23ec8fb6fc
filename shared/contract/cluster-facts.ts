import { annotations } from './constants.ts'
import type { Cluster } from './schemas/cluster.ts'

/** `spec.hibernation.enabled`: the desired state, reached or not. */
export const isHibernationEnabled = ({ spec: { shoot } }: Cluster): boolean =>
  shoot.spec?.hibernation?.enabled === true

/** Returns true if hibernation is desired and reached. */
export const isHibernated = (cluster: Cluster): boolean =>
  isHibernationEnabled(cluster) && cluster.spec.shoot.status?.hibernated === true

/** Returns true if the shoot is entering or leaving hibernation. */
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

/** Returns true if Gardener has credentials for the shoot's machines. Otherwise it does not manage them. */
export const hasManagedInfrastructure = ({ spec: { shoot } }: Cluster): boolean => {
  const { credentialsBindingName, secretBindingName } = Object(shoot.spec) as Readonly<
    Record<string, unknown>
  >
  return [credentialsBindingName, secretBindingName].some(name => name !== undefined && name !== null)
}

/** Returns true if the API server runs on the shoot's machines: a worker pool says so. */
export const isSelfHosted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).some(({ controlPlane }) => (controlPlane ?? undefined) !== undefined)

/** Pod CIDRs: that of the spec, then those of the status, each once. */
export const podNetworks = ({ spec: { shoot } }: Cluster): readonly string[] => {
  const wanted = shoot.spec?.networking?.pods
  const actual = shoot.status?.networking?.pods ?? []
  return [...new Set([...(wanted ? [wanted] : []), ...actual])]
}

/** Name of the Secret with the generic kubeconfig, in the shoot's namespace. */
export const genericKubeconfigSecretName = ({ metadata }: Cluster): string =>
  metadata.annotations?.[annotations.genericTokenKubeconfigSecretName] ?? 'generic-token-kubeconfig'

/** Go's `strconv.ParseBool`. Returns undefined for texts that Go refuses. */
export const parseBool = (text: string | undefined): boolean | undefined => {
  if (text === undefined) return undefined
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false
  return undefined
}
