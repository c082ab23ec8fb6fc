import { type Problem, problemsInEach } from '../../../../../shared/decode/problems.ts'
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
  if (vpc.id === undefined && vpc.cidr === undefined) {
    return [
      { path, message: 'expected the id of a VPC of yours, or the cidr of one that is made, found neither' },
    ]
  }
  if (vpc.id !== undefined && vpc.cidr !== undefined) {
    return [
      {
        path,
        message:
          'expected id or cidr, found both: a VPC of yours has its CIDR, and one that is made has no id',
      },
    ]
  }
  return formProblems(`${path}.id`, vpc.id, formats.vpc)
}

const endpointProblems = (config: InfrastructureConfig): readonly Problem[] => {
  const { gatewayEndpoints } = config.networks.vpc
  const path = 'networks.vpc.gatewayEndpoints'
  return [
    ...problemsInEach(gatewayEndpoints, (service, index) =>
      formProblems(`${path}[${index}]`, service, formats.subdomain),
    ),
    ...(gatewayEndpoints.length > 0 && hasOwnSubnets(config)
      ? [
          {
            path,
            message:
              'expected none with workersSubnetID: they need routes in your route tables; create the endpoints yourself',
            kind: 'forbidden' as const,
          },
        ]
      : []),
  ]
}

const groupProblems = ({
  networks: { nodesSecurityGroupID, vpc },
}: InfrastructureConfig): readonly Problem[] => {
  const path = 'networks.nodesSecurityGroupID'
  return [
    ...formProblems(path, nodesSecurityGroupID, formats.securityGroup),
    ...(nodesSecurityGroupID !== undefined && vpc.id === undefined
      ? [
          {
            path,
            message: 'expected networks.vpc.id beside it: the VPC that the security group is in',
            kind: 'forbidden' as const,
          },
        ]
      : []),
  ]
}

const fileSystemProblems = (config: InfrastructureConfig): readonly Problem[] => {
  const { elasticFileSystem } = config
  return elasticFileSystem?.enabled && elasticFileSystem.id === undefined && hasOwnSubnets(config)
    ? [
        {
          path: 'elasticFileSystem.id',
          message:
            'expected the id of a file system of yours with workersSubnetID, found nothing: none is made in your subnets',
          kind: 'required' as const,
        },
      ]
    : []
}
