import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import type { MachinePool, MachinesRequest } from '../request.ts'

/** Returns a pool with everything that it needs in the account of `requestOf`. */
export const poolOf = (fields: Partial<MachinePool> = {}): MachinePool => ({
  name: 'a',
  machineType: 'm5.large',
  machineImage: { name: 'gardenlinux', version: '1877.3.0' },
  minimum: 1,
  maximum: 2,
  maxSurge: 1,
  maxUnavailable: 0,
  userDataSecretRef: { name: 'osc-result-a', key: 'cloud_config' },
  nodeAgentSecretName: 'gardener-node-agent-a-0123456789abcdef',
  volume: { type: 'gp3', size: '50Gi' },
  zones: ['eu-west-1a'],
  kubernetesVersion: '1.34.1',
  nodeTemplate: { capacity: { cpu: '2', gpu: '0', memory: '8Gi' } },
  ...fields,
})

/** The status of an Infrastructure with nodes in two zones. */
export const infrastructureStatus = {
  apiVersion,
  kind: 'InfrastructureStatus',
  ec2: { keyName: 'shoot--foo--bar-ssh-publickey' },
  iam: {
    instanceProfiles: [{ purpose: 'nodes', name: 'shoot--foo--bar-nodes' }],
    roles: [{ purpose: 'nodes', arn: 'arn:aws:iam::123456789012:role/shoot--foo--bar-nodes' }],
  },
  vpc: {
    id: 'vpc-0123456789abcdef0',
    subnets: [
      { purpose: 'nodes', id: 'subnet-a', zone: 'eu-west-1a' },
      { purpose: 'public', id: 'subnet-public', zone: 'eu-west-1a' },
      { purpose: 'nodes', id: 'subnet-b', zone: 'eu-west-1b' },
    ],
    securityGroups: [{ purpose: 'nodes', id: 'sg-0123456789abcdef0' }],
  },
  elasticFileSystem: { ID: '' },
}

/** AMIs of two architectures. */
export const cloudProfile = {
  machineTypes: [{ name: 'm5.large' }, { name: 'm6g.large' }],
  providerConfig: {
    apiVersion,
    kind: 'CloudProfileConfig',
    machineImages: [
      {
        name: 'gardenlinux',
        versions: [
          {
            version: '1877.3.0',
            regions: [
              { name: 'eu-west-1', ami: 'ami-amd64', architecture: 'amd64' },
              { name: 'eu-west-1', ami: 'ami-arm64', architecture: 'arm64' },
            ],
          },
        ],
      },
    ],
  },
}

export const requestOf = (fields: Partial<MachinesRequest> = {}): MachinesRequest => ({
  pools: [poolOf()],
  region: 'eu-west-1',
  technicalId: 'shoot--foo--bar',
  ipFamilies: ['IPv4'],
  infrastructureStatus,
  cloudProfile,
  cloudProfileName: 'aws',
  providerStatus: undefined,
  ...fields,
})
