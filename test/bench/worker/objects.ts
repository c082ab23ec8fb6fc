import { apiVersion, labels } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { askedAt } from '../shoot.ts'

const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c']
const image = { name: 'gardenlinux', version: '1877.3.0' }
const group = 'aws.provider.extensions.gardener.cloud/v1alpha1'

const cloudProfile = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'CloudProfile',
  metadata: { name: 'aws' },
  spec: {
    type: 'aws',
    regions: [{ name: 'eu-west-1', zones: zones.map(name => ({ name })) }],
    machineTypes: [{ name: 'm5.large', cpu: '2', gpu: '0', memory: '8Gi', architecture: 'amd64' }],
    providerConfig: {
      apiVersion: group,
      kind: 'CloudProfileConfig',
      machineImages: [
        {
          name: image.name,
          versions: [
            {
              version: image.version,
              regions: [{ name: 'eu-west-1', ami: 'ami-0aaaaaaaaaaaaaaa1', architecture: 'amd64' }],
            },
          ],
        },
      ],
    },
  },
}

/** The objects in a shoot's namespace before its Worker is created. */
export const shootOf = (
  namespace: string,
  { pools, isHibernated = false }: { readonly pools: number; readonly isHibernated?: boolean },
): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { [labels.role]: 'shoot' } } },
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: {
      cloudProfile,
      seed: {},
      shoot: {
        metadata: { name: 'rose', namespace: 'garden-bench' },
        spec: {
          networking: { ipFamilies: ['IPv4'] },
          ...(isHibernated && { hibernation: { enabled: true } }),
        },
        status: { technicalID: namespace, lastOperation: { type: 'Reconcile', state: 'Processing' } },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudprovider', namespace },
    data: { accessKeyID: btoa('AKIABENCH00000000000'), secretAccessKey: btoa('made-up-for-the-benchmark') },
  },
  ...Array.from({ length: pools }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `osc-result-pool-${index}`, namespace },
    data: { cloud_config: btoa(`#!/bin/bash\necho ${index}\n`) },
  })),
]

/** A Worker that gardenlet has just created: one machine for each zone of each pool. */
export const workerOf = (
  namespace: string,
  { pools, zones: count }: { readonly pools: number; readonly zones: number },
): KubernetesObject => {
  const inZones = zones.slice(0, count)
  const byZone = (purpose: string) =>
    zones.map((zone, index) => ({ purpose, zone, id: `subnet-0000000000000000${index}` }))
  return {
    apiVersion,
    kind: 'Worker',
    metadata: { name: 'rose', namespace, annotations: askedAt(0) },
    spec: {
      type: 'aws',
      region: 'eu-west-1',
      secretRef: { name: 'cloudprovider', namespace },
      infrastructureProviderStatus: {
        apiVersion: group,
        kind: 'InfrastructureStatus',
        ec2: { keyName: `${namespace}-ssh-publickey` },
        iam: { instanceProfiles: [{ purpose: 'nodes', name: `${namespace}-nodes` }], roles: [] },
        vpc: {
          id: 'vpc-0123456789abcdef0',
          subnets: byZone('nodes'),
          securityGroups: [{ purpose: 'nodes', id: 'sg-0123456789abcdef0' }],
        },
      },
      pools: Array.from({ length: pools }, (_, index) => ({
        name: `pool-${index}`,
        machineType: 'm5.large',
        machineImage: image,
        architecture: 'amd64',
        minimum: count,
        maximum: 2 * count,
        maxSurge: 1,
        maxUnavailable: 0,
        labels: { 'worker.gardener.cloud/pool': `pool-${index}`, 'node.kubernetes.io/role': 'node' },
        nodeAgentSecretName: `gardener-node-agent-pool-${index}-0123456789abcdef`,
        userDataSecretRef: { name: `osc-result-pool-${index}`, key: 'cloud_config' },
        volume: { type: 'gp3', size: '50Gi' },
        zones: inZones,
        kubernetesVersion: '1.34.1',
        nodeTemplate: { capacity: { cpu: '2', gpu: '0', memory: '8Gi' } },
      })),
    },
  }
}
