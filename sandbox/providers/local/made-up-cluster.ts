import type { MadeUpCluster } from '../provider.ts'

const image = { name: 'local', version: '1.0.0' }

/** A shoot with the machine type and the image of Gardener's local setup. */
export const madeUpCluster: MadeUpCluster = {
  region: 'local',
  kubernetesVersion: '1.33.3',
  networking: {
    nodes: '10.0.128.0/17',
    pods: '10.3.0.0/16',
    services: '10.4.0.0/16',
    ipFamilies: ['IPv4'],
  },
  cloudProfile: {
    machineTypes: [{ name: 'local', cpu: '2', memory: '4Gi', gpu: '0', architecture: 'amd64', usable: true }],
    machineImages: [{ name: image.name, versions: [{ version: image.version, architectures: ['amd64'] }] }],
    bastion: { machineType: { name: 'local' }, machineImage: image },
    providerConfig: {
      apiVersion: 'local.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'CloudProfileConfig',
      loadBalancer: { image: 'registry.example.org/envoy:v1' },
      machineImages: [
        {
          name: image.name,
          versions: [{ version: image.version, image: 'registry.example.org/node:1.0.0' }],
        },
      ],
    },
  },
}
