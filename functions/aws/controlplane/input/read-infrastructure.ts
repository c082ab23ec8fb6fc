import {
  decodeStrictly,
  infrastructureStatusSchema,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { withProblem } from './control-plane-problem.ts'

/** What a control plane needs of the shoot's network. */
export interface ControlPlaneInfrastructure {
  readonly vpcId: string
  /** By which the cloud controller manager finds its VPC and zone. */
  readonly subnet: { readonly id: string; readonly zone: string }
  /** There is a subnet for load balancers, public or internal. */
  readonly hasLoadBalancerSubnets: boolean
  /** Empty without EFS. */
  readonly fileSystemId: string
}

/** Purposes of subnets, in the order in which one is looked for. */
const purposes = ['public', 'internal', 'nodes']

/**
 * Reads `spec.infrastructureProviderStatus`. Throws a `CodedError` in the words of the Go extension for one that is
 * malformed, or names no subnet. It is no user's to mend, so no code tells them to.
 *
 * @param object `namespace/name`
 */
export const readInfrastructure = (status: unknown, object: string): ControlPlaneInfrastructure => {
  const source = `infrastructureProviderStatus of controlplane '${object}'`
  const { vpc, elasticFileSystem } = withProblem(`could not decode ${source}`, [], () => {
    if (status === undefined || status === null) throw new Error('the infrastructure has no status')
    return decodeStrictly(infrastructureStatusSchema, status)
  })
  const subnet = purposes
    .map(purpose => vpc.subnets.find(candidate => candidate.purpose === purpose))
    .find(found => found !== undefined)
  return withProblem(`could not determine subnet from ${source}`, [], () => {
    if (subnet === undefined) throw new Error('no subnet with purpose "nodes" found')
    if (vpc.id === '') throw new Error('the VPC has no id')
    return {
      vpcId: vpc.id,
      subnet: { id: subnet.id, zone: subnet.zone },
      hasLoadBalancerSubnets: subnet.purpose !== 'nodes',
      fileSystemId: elasticFileSystem?.ID ?? '',
    }
  })
}
