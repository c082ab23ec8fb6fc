import {
  decodeStrictly,
  infrastructureStatusSchema,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

/** The parts of the infrastructure that nodes use. */
export interface NodesInfrastructure {
  /** The name of the key pair. Empty without one. */
  readonly keyName: string
  readonly instanceProfile: string
  readonly securityGroupId: string
  /** The nodes' subnets by zone. */
  readonly subnets: ReadonlyMap<string, string>
}

const nodes = 'nodes'

/**
 * Reads `spec.infrastructureProviderStatus`. Throws an Error with the Go extension's text if it is malformed, or lacks
 * the parts for nodes.
 */
export const readInfrastructure = (status: unknown): NodesInfrastructure => {
  if (status === undefined || status === null) throw new Error('the infrastructure has no status')
  const { ec2, iam, vpc } = decodeStrictly(infrastructureStatusSchema, status)
  const group = vpc.securityGroups.find(({ purpose }) => purpose === nodes)
  if (group === undefined) throw new Error('no security group with purpose "nodes" found')
  const profile = iam.instanceProfiles.find(({ purpose }) => purpose === nodes)
  if (profile === undefined) throw new Error('no instance profile with purpose "nodes" found')
  const subnets = new Map<string, string>()
  for (const { purpose, id, zone } of vpc.subnets)
    if (purpose === nodes && !subnets.has(zone)) subnets.set(zone, id)
  return { keyName: ec2.keyName, instanceProfile: profile.name, securityGroupId: group.id, subnets }
}
