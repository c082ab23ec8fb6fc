import { annotations } from './constants.ts'
import type { Cluster } from './schemas/cluster.ts'

/** `spec.hibernation.enabled`: what the user wants, reached or not. */
export const isHibernationEnabled = ({ spec: { shoot } }: Cluster): boolean =>
  shoot.spec?.hibernation?.enabled === true

/** Hibernation is wanted and reached. */
export const isHibernated = (cluster: Cluster): boolean =>
  isHibernationEnabled(cluster) && cluster.spec.shoot.status?.hibernated === true

/** On the way into hibernation or out of it. */
export const isHibernatingOrWakingUp = (cluster: Cluster): boolean =>
  isHibernationEnabled(cluster) !== (cluster.spec.shoot.status?.hibernated === true)

/** The shoot was not there before its present operation. */
export const isCreationInProcess = ({ spec: { shoot } }: Cluster): boolean => {
  const last = shoot.status?.lastOperation
  return last === undefined || last === null || last.type === 'Create'
}

/** gardenlet gave the shoot up; nothing happens until its spec changes or somebody asks for a retry. */
export const isShootFailed = ({ spec: { shoot } }: Cluster): boolean =>
  shoot.status?.lastOperation?.state === 'Failed'

export const isShootDeleted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.metadata?.deletionTimestamp ?? undefined) !== undefined

/** As much of a Cluster as can be told of one that is broken otherwise. */
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
 * Somebody confirmed on the Shoot that a delete may leave things behind (docs/contract/lifecycle.md#force-delete).
 */
export const isForceDeletionConfirmed = ({ spec: { shoot } }: WithShootAnnotations): boolean =>
  parseBool(shoot.metadata?.annotations?.[annotations.forceDeletionConfirmation]) === true

/** Somebody gave Gardener credentials for the shoot's machines; without, they are somebody else's. */
export const hasManagedInfrastructure = ({ spec: { shoot } }: Cluster): boolean => {
  const { credentialsBindingName, secretBindingName } = Object(shoot.spec) as Readonly<
    Record<string, unknown>
  >
  return [credentialsBindingName, secretBindingName].some(name => name !== undefined && name !== null)
}

/** Its API server runs on machines of its own: a pool of workers says so. */
export const isSelfHosted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).some(({ controlPlane }) => (controlPlane ?? undefined) !== undefined)

/** How many replicas a component of the control plane gets: none in hibernation. */
export const replicas = (cluster: Cluster, wanted: number): number =>
  isHibernationEnabled(cluster) ? 0 : wanted

/** As `replicas`, for what the API server needs: kept until it is scaled down, and while the shoot is being deleted. */
export const controlPlaneReplicas = (cluster: Cluster, wanted: number, scaledDown: boolean): number =>
  !isShootDeleted(cluster) && isHibernationEnabled(cluster) && scaledDown ? 0 : wanted

/** Nobody manages DNS records for the shoot. */
export const hasUnmanagedDns = ({ spec: { shoot } }: Cluster): boolean => {
  const dns = shoot.spec?.dns
  if (dns === undefined || dns === null) return true
  return !dns.domain && dns.providers?.[0]?.type === 'unmanaged'
}

/** CIDRs of the pods: of the spec, then of the status, each once. */
export const podNetworks = (cluster: Cluster): readonly string[] => networks(cluster, 'pods')

/** CIDRs of the services: of the spec, then of the status, each once. */
export const serviceNetworks = (cluster: Cluster): readonly string[] => networks(cluster, 'services')

/** Name of the Secret with the generic kubeconfig, in the shoot's namespace. */
export const genericKubeconfigSecretName = ({ metadata }: Cluster): string =>
  metadata.annotations?.[annotations.genericTokenKubeconfigSecretName] ?? 'generic-token-kubeconfig'

const networks = ({ spec: { shoot } }: Cluster, which: 'pods' | 'services'): readonly string[] => {
  const wanted = shoot.spec?.networking?.[which]
  const actual = shoot.status?.networking?.[which] ?? []
  return [...new Set([...(wanted ? [wanted] : []), ...actual])]
}

/** Go's `strconv.ParseBool`: undefined for everything that it refuses. */
export const parseBool = (text: string | undefined): boolean | undefined => {
  if (text === undefined) return undefined
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false
  return undefined
}
