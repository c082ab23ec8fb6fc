import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import {
  decodeStrictly,
  infrastructureStatusSchema,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'

/** The parts of the infrastructure that machines use. */
export interface MachineInfrastructure {
  readonly keyName: string
  readonly networkId: string
  /** The nodes' subnets: IPv4, then IPv6. */
  readonly subnetIds: readonly string[]
  /** The name of the nodes' security group. */
  readonly securityGroup: string
}

/**
 * Reads `spec.infrastructureProviderStatus`. Throws a `CodedError` with the Go extension's text if it is malformed, or
 * lacks the parts for machines.
 */
export const readInfrastructure = (status: unknown): MachineInfrastructure => {
  try {
    return partsOf(status)
  } catch (error) {
    throw configurationProblem(
      `${messageOf(error)} (spec.infrastructureProviderStatus). The Infrastructure writes it. Reconcile the Infrastructure`,
      error,
    )
  }
}

const partsOf = (status: unknown): MachineInfrastructure => {
  if (status === undefined || status === null) throw new Error('the infrastructure has no status')
  const { networks, node, securityGroups } = decodeStrictly(infrastructureStatusSchema, status)
  const group = securityGroups.find(({ purpose }) => purpose === 'nodes')
  if (group === undefined) throw new Error('cannot find security group with purpose "nodes"')
  const subnetsFor = (wanted: string): readonly string[] =>
    networks.subnets.flatMap(({ purpose, id }) => (purpose === wanted ? [id] : []))
  const subnets = subnetsFor('nodes')
  if (subnets.length === 0) throw new Error('cannot find subnet with purpose "nodes"')
  return {
    keyName: node.keyName,
    networkId: networks.id,
    subnetIds: [...subnets, ...subnetsFor('nodes-ipv6')],
    securityGroup: group.name,
  }
}
