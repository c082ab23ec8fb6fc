import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { policyDocument } from './policy-document.ts'

/** Allows EC2 machines to use the role. */
export const trustPolicy: string = policyDocument({
  Effect: 'Allow',
  Principal: { Service: 'ec2.amazonaws.com' },
  Action: 'sts:AssumeRole',
})

/** Returns the permissions of a node (docs/contract/provider-aws.md#role-of-the-nodes). */
export const nodePolicy = ({
  fileSystem,
  ecrAccess,
}: Pick<DesiredInfrastructure, 'fileSystem' | 'ecrAccess'>): string =>
  policyDocument(
    ...[['ec2:DescribeInstances'], fileSystem === undefined ? [] : efsActions, ecrAccess ? ecrActions : []]
      .filter(actions => actions.length > 0)
      .map(actions => ({ Effect: 'Allow', Action: actions, Resource: ['*'] }) as const),
  )

/** Permissions of the EFS CSI driver, which runs on the nodes. */
const efsActions: readonly string[] = [
  'elasticfilesystem:DescribeAccessPoints',
  'elasticfilesystem:DescribeFileSystems',
  'elasticfilesystem:DescribeMountTargets',
  'elasticfilesystem:CreateAccessPoint',
  'elasticfilesystem:DeleteAccessPoint',
  'elasticfilesystem:TagResource',
  'ec2:DescribeAvailabilityZones',
]

/** Permissions of the kubelet's credential provider for ECR. */
const ecrActions: readonly string[] = [
  'ecr:GetAuthorizationToken',
  'ecr:BatchCheckLayerAvailability',
  'ecr:GetDownloadUrlForLayer',
  'ecr:GetRepositoryPolicy',
  'ecr:DescribeRepositories',
  'ecr:ListImages',
  'ecr:BatchGetImage',
]
