import {
  decodeStrictly,
  infrastructureStatusSchema,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { withProblem } from './control-plane-problem.ts'

/** The facts about the shoot's network that a control plane needs. */
export interface ControlPlaneInfrastructure {
  readonly vpcId: string
  /** The cloud controller manager finds its VPC and zone by this subnet. */
  readonly subnet: { readonly id: string; readonly zone: string }
  /** True if a public or internal subnet for load balancers exists. */
  readonly hasLoadBalancerSubnets: boolean
  /** Empty without EFS. */
  readonly fileSystemId: string
}

/** Purposes of subnets, in search order. */
const purposes = ['public', 'internal', 'nodes']

/**
 * Reads `spec.infrastructureProviderStatus`. Throws a `CodedError` with the text of the Go extension if it is malformed
 * or names no subnet. A user cannot fix it, so the error has no code.
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
