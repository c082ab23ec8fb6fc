import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type {
  InfrastructureRequest,
  ShootFacts,
} from '../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'

/**
 * Names a VPC. With this annotation the operator declares that all resources in it with the cluster's tag belong to
 * this shoot. Required if the state is lost and the account contains no proof.
 */
const adoptAnnotation = 'trellis.gardener.cloud/adopt-vpc'

/** The request of an object and its Cluster. */
export const requestOf = ({
  object: { metadata, spec, status },
  cluster,
  secret,
  signal,
  throwIfExpired,
}: Pick<
  StepContext<Infrastructure>,
  'object' | 'cluster' | 'secret' | 'signal' | 'throwIfExpired'
>): InfrastructureRequest => ({
  clusterName: metadata.namespace ?? metadata.name,
  uid: metadata.uid ?? '',
  adopt: metadata.annotations?.[adoptAnnotation] || undefined,
  region: spec.region,
  sshPublicKey: spec.sshPublicKey,
  providerConfig: spec.providerConfig,
  state: status?.state,
  shoot: shootOf(cluster),
  secret,
  signal,
  throwIfExpired,
})

/** Null counts as absent, as in Go. */
const shootOf = (cluster: Cluster | undefined): ShootFacts => {
  const shoot = cluster?.spec.shoot
  const networking = shoot?.spec?.networking
  return {
    uid: shoot?.metadata?.uid ?? undefined,
    networking: {
      ipFamilies: networking?.ipFamilies ?? undefined,
      nodes: networking?.nodes || undefined,
      pods: networking?.pods || undefined,
      services: networking?.services || undefined,
    },
    networkConfig: networking?.providerConfig,
    workerConfigs: (shoot?.spec?.provider?.workers ?? []).map(({ providerConfig }) => providerConfig),
    cloudProfile: cluster?.spec.cloudProfile.spec,
  }
}
