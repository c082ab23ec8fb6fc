import type { Clock } from '../../../shared/clock/clock.ts'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import type { Actuator, StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import { infrastructureFlow } from '../../../terraform-free-infra/cloud/infrastructure.ts'
import {
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import {
  checkInfrastructure,
  createInfrastructure,
  type InfrastructureRequest,
  type ShootFacts,
} from '../../../terraform-free-infra/openstack/infrastructure/infrastructure.ts'
import { infrastructureOrphans } from './orphans.ts'

export interface InfrastructureDeps {
  readonly connection: OpenStackConnection
  readonly clock: Clock
  /** Scales the waits between steps. 1 suits OpenStack. */
  readonly waitScale?: number | undefined
}

/** Reconciles Infrastructures of type `openstack` (docs/contract/provider-openstack.md#infrastructure). */
export const infrastructureActuator = ({
  connection,
  clock,
  waitScale = 1,
}: InfrastructureDeps): Actuator<Infrastructure> => {
  const begin = createInfrastructure({ connection, clock, waitScale })
  return infrastructureFlow({
    cloud: 'OpenStack',
    clock,
    waitScale,
    begin: step => begin(requestOf(step)),
    marks: 'their descriptions',
    coded: (_, work) => withErrorCodes(work),
    check: async ({ object: { spec }, secret }) => {
      // The families of the shoot are checked by `validate`, which knows the Cluster.
      checkInfrastructure({ providerConfig: spec.providerConfig, secret, shoot: shootOf(undefined) })
    },
    orphans: ({ object }) => infrastructureOrphans(object),
  })
}

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
  name: metadata.namespace ?? metadata.name,
  uid: metadata.uid ?? '',
  region: spec.region,
  sshPublicKey: spec.sshPublicKey,
  providerConfig: spec.providerConfig,
  state: status?.state,
  shoot: shootOf(cluster),
  cloudProfile: cluster?.spec.cloudProfile.spec?.providerConfig,
  secret,
  signal,
  throwIfExpired,
})

/** Null counts as absent, as in Go. */
const shootOf = (cluster: Cluster | undefined): ShootFacts => {
  const networking = cluster?.spec.shoot.spec?.networking
  return {
    ipFamilies: networking?.ipFamilies ?? undefined,
    nodes: networking?.nodes || undefined,
    pods: networking?.pods || undefined,
    services: networking?.services || undefined,
  }
}
