import { type Problem, problemsInEach } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import { formats, formProblems } from '../../../account/formats.ts'
import type { InfrastructureConfig } from '../config.ts'
import { hasOwnSubnets } from './zone-problems.ts'

/**
 * Returns the problems of the VPC, endpoints, group and file system
 * (docs/contract/provider-aws.md#vpc-endpoints-group-and-file-system).
 */
export const networkProblems = (config: InfrastructureConfig): readonly Problem[] => [
  ...vpcProblems(config),
  ...endpointProblems(config),
  ...groupProblems(config),
  ...fileSystemProblems(config),
]

const vpcProblems = ({ networks: { vpc } }: InfrastructureConfig): readonly Problem[] => {
  const path = 'networks.vpc'
  if (vpc.id === undefined && vpc.cidr === undefined)
    return [{ path, message: 'expected the id of your VPC, or the cidr of a new VPC, found neither' }]
  if (vpc.id !== undefined && vpc.cidr !== undefined)
    return [
      {
        path,
        message: 'expected id or cidr, found both: your VPC already has a CIDR, and a new VPC has no id',
      },
    ]
  return formProblems(`${path}.id`, vpc.id, formats.vpc)
}

const endpointProblems = (config: InfrastructureConfig): readonly Problem[] => {
  const { gatewayEndpoints } = config.networks.vpc
  const path = 'networks.vpc.gatewayEndpoints'
  return [
    ...problemsInEach(gatewayEndpoints, (service, index) =>
      formProblems(`${path}[${index}]`, service, formats.subdomain),
    ),
    ...when(gatewayEndpoints.length > 0 && hasOwnSubnets(config), {
      path,
      message:
        'expected none with workersSubnetID: they need routes in your route tables. Create the endpoints yourself',
      kind: 'forbidden' as const,
    }),
  ]
}

const groupProblems = ({
  networks: { nodesSecurityGroupID, vpc },
}: InfrastructureConfig): readonly Problem[] => {
  const path = 'networks.nodesSecurityGroupID'
  return [
    ...formProblems(path, nodesSecurityGroupID, formats.securityGroup),
    ...when(nodesSecurityGroupID !== undefined && vpc.id === undefined, {
      path,
      message: 'expected networks.vpc.id as well: the VPC of the security group',
      kind: 'forbidden' as const,
    }),
  ]
}

const fileSystemProblems = (config: InfrastructureConfig): readonly Problem[] => {
  const { elasticFileSystem } = config
  return when(elasticFileSystem?.enabled && elasticFileSystem.id === undefined && hasOwnSubnets(config), {
    path: 'elasticFileSystem.id',
    message:
      'expected the id of your file system with workersSubnetID, found nothing: none is created in your subnets',
    kind: 'required' as const,
  })
}
