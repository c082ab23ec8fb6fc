import {
  apiVersion,
  type InfrastructureConfig,
} from '../../../terraform-free-infra/aws/infrastructure/config/config.ts'
import type { State } from '../../../terraform-free-infra/engine/engine.ts'

interface StatusSubnet {
  readonly purpose: 'nodes' | 'internal' | 'public'
  readonly id: string
  readonly zone: string
}

/**
 * `status.providerStatus`, which Worker and ControlPlane decode strictly
 * (docs/contract/provider-aws.md#infrastructurestatus). As in Go no field is left out: a list that is not there is
 * null.
 */
export interface InfrastructureStatus {
  readonly apiVersion: typeof apiVersion
  readonly kind: 'InfrastructureStatus'
  readonly ec2: { readonly keyName: string }
  readonly iam: {
    readonly instanceProfiles: readonly { readonly purpose: 'nodes'; readonly name: string }[] | null
    readonly roles: readonly { readonly purpose: 'nodes'; readonly arn: string }[] | null
  }
  readonly vpc: {
    readonly id: string
    readonly subnets: readonly StatusSubnet[] | null
    readonly securityGroups: readonly { readonly purpose: 'nodes'; readonly id: string }[] | null
  }
  readonly elasticFileSystem: { readonly ID: string }
}

export const providerStatusOf = (state: State, config: InfrastructureConfig): InfrastructureStatus => {
  const vpcId = config.networks.vpc.id ?? state.VPC ?? ''
  const known = <T>(value: string | undefined, entry: (value: string) => T): readonly T[] | null =>
    value === undefined ? null : [entry(value)]
  return {
    apiVersion,
    kind: 'InfrastructureStatus',
    ec2: { keyName: state.KeyPair ?? '' },
    iam: {
      instanceProfiles: known(state.IAMInstanceProfileName, name => ({ purpose: 'nodes', name })),
      roles: known(state.IAMRoleARN, arn => ({ purpose: 'nodes', arn })),
    },
    vpc:
      vpcId === ''
        ? { id: '', subnets: null, securityGroups: null }
        : {
            id: vpcId,
            subnets: subnetsOf(state),
            securityGroups: known(state.NodesSecurityGroup, id => ({ purpose: 'nodes', id })),
          },
    elasticFileSystem: { ID: config.elasticFileSystem?.id ?? state.efsSystemID ?? '' },
  }
}

const purposes: Readonly<Record<string, StatusSubnet['purpose']>> = {
  SubnetWorkers: 'nodes',
  SubnetPrivateUtility: 'internal',
  SubnetPublicUtility: 'public',
}
const order = Object.values(purposes)

/** By zone and purpose: an order of its own would change the status without need. */
const subnetsOf = (state: State): readonly StatusSubnet[] | null => {
  const subnets = Object.entries(state).flatMap(([key, id]): readonly StatusSubnet[] => {
    const [zones, zone, what, more] = key.split('/')
    const purpose = purposes[what ?? '']
    return zones === 'Zones' && zone !== undefined && purpose !== undefined && more === undefined
      ? [{ purpose, id, zone }]
      : []
  })
  if (subnets.length === 0) return null
  return subnets.sort((one, other) =>
    one.zone === other.zone
      ? order.indexOf(one.purpose) - order.indexOf(other.purpose)
      : one.zone < other.zone
        ? -1
        : 1,
  )
}
