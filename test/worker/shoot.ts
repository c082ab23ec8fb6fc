import { addImage } from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { WorkerPool } from '../../shared/contract/objects.ts'

/** The namespace in the example with three zones. */
export const namespace = 'shoot--garden--three-zones'
export const region = 'eu-west-1'
export const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c']

/** The first one exists in the AWS of the sandbox. The second is added. */
const images = { '1877.3.0': 'ami-009357e51d0a076d6', '1877.4.0': 'ami-0bbbbbbbbbbbbbbb1' } as const

export const cloudProfile = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'CloudProfile',
  metadata: { name: 'aws' },
  spec: {
    type: 'aws',
    regions: [{ name: region, zones: zones.map(zone => ({ name: zone })) }],
    machineTypes: ['m5.large', 'm5.xlarge'].map(type => ({
      name: type,
      cpu: '2',
      gpu: '0',
      memory: '8Gi',
      architecture: 'amd64',
    })),
    providerConfig: {
      apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'CloudProfileConfig',
      machineImages: [
        {
          name: 'gardenlinux',
          versions: Object.entries(images).map(([version, ami]) => ({
            version,
            regions: [{ name: region, ami, architecture: 'amd64' }],
          })),
        },
      ],
    },
  },
}

/** Returns a pool in gardenlet's form. The name of the node agent's Secret contains the data that roll machines. */
export const poolOf = (
  change: Partial<WorkerPool> & { readonly image?: keyof typeof images } = {},
): WorkerPool => {
  const { image = '1877.3.0', name: pool = 'a', machineType = 'm5.large', ...rest } = change
  return {
    name: pool,
    machineType,
    machineImage: { name: 'gardenlinux', version: image },
    architecture: 'amd64',
    minimum: 2,
    maximum: 2,
    maxSurge: 1,
    maxUnavailable: 0,
    labels: { 'worker.gardener.cloud/pool': pool },
    nodeAgentSecretName: `gardener-node-agent-${pool}-${machineType}-${image}`,
    userDataSecretRef: { name: `osc-result-${pool}`, key: 'cloud_config' },
    volume: { type: 'gp3', size: '50Gi' },
    zones: ['eu-west-1a'],
    kubernetesVersion: '1.33.3',
    nodeTemplate: { capacity: { cpu: '2', gpu: '0', memory: '8Gi' } },
    ...rest,
  } as WorkerPool
}

/** Returns a clock, and an AWS with realistic delays. */
export const newAccount = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const real = { durations: { scale: 1 } }
  const aws = shuffledAws({ clock, ec2: real, iam: real })
  addImage(aws.account(), region, {
    id: images['1877.4.0'],
    name: 'gardenlinux-1877.4.0',
    architecture: 'x86_64',
    rootDeviceName: '/dev/xvda',
    rootSize: 8,
  })
  return { clock, aws }
}
