import type { Infrastructure } from '../../../shared/contract/objects.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type InfrastructureDeps,
  infrastructureFlow,
  type RequestSource,
  requestPartsOf,
  shootNetworksOf,
} from '../../../terraform-free-infra/cloud/infrastructure.ts'
import {
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import {
  checkInfrastructure,
  createInfrastructure,
  type InfrastructureRequest,
} from '../../../terraform-free-infra/openstack/infrastructure/infrastructure.ts'

/** Reconciles Infrastructures of type `openstack` (docs/contract/provider-openstack.md#infrastructure). */
export const infrastructureActuator = ({
  connection,
  clock,
  waitScale = 1,
}: InfrastructureDeps<OpenStackConnection>): Actuator<Infrastructure> => {
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
      checkInfrastructure({ providerConfig: spec.providerConfig, secret, shoot: shootNetworksOf(undefined) })
    },
    orphans: ({ object }) => infrastructureOrphans(object),
  })
}

export const requestOf = ({ cluster, ...step }: RequestSource): InfrastructureRequest => ({
  ...requestPartsOf(step),
  name: step.object.metadata.namespace ?? step.object.metadata.name,
  shoot: shootNetworksOf(cluster),
  cloudProfile: cluster?.spec.cloudProfile.spec?.providerConfig,
})

/** State keys of resources, in the order of their creation. */
const kinds: Readonly<Record<string, string>> = {
  Network: 'network',
  Router: 'router',
  Subnet: 'subnet',
  SubnetIPv6: 'subnet',
  SubnetIPv6Pod: 'subnet',
  SubnetIPv6Svc: 'subnet',
  SecurityGroup: 'security group',
  KeyPair: 'key pair',
  ShareNetwork: 'share network',
}

/**
 * Names the resources that the state records, without those of the user, and those that only their names identify. The
 * state may be damaged: its values are only shown.
 */
const infrastructureOrphans = ({
  metadata: { namespace = '' },
  spec,
  status,
}: Pick<Infrastructure, 'metadata' | 'spec' | 'status'>): readonly string[] => {
  const state = recordOf(recordOf(status?.state).data)
  const config = JSON.stringify(spec.providerConfig ?? {})
  return [
    ...Object.entries(kinds).flatMap(([key, kind]) => {
      const { [key]: value } = state
      const isForeign = config.includes(JSON.stringify(value))
      return typeof value === 'string' && value !== '' && !isForeign ? [`${kind} ${value}`] : []
    }),
    `load balancers and routes of the shoot’s controllers, named kube_service_${namespace}_…`,
  ]
}
