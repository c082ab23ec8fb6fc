import type { MadeUpCluster } from '../provider.ts'

const region = 'eu-west-1'
const image = { name: 'gardenlinux', version: '1877.3.0' }

/**
 * A shoot with the inputs of Bastions, Workers and ControlPlanes: machine types, an image of the simulated AWS, and a
 * Kubernetes version with images.
 */
export const madeUpCluster: MadeUpCluster = {
  region,
  kubernetesVersion: '1.33.3',
  cloudProfile: {
    machineTypes: [
      { name: 't3.small', cpu: '2', architecture: 'amd64' },
      { name: 'm5.large', cpu: '2', architecture: 'amd64' },
    ],
    machineImages: [{ name: image.name, versions: [{ version: image.version, architectures: ['amd64'] }] }],
    providerConfig: {
      machineImages: [
        {
          name: image.name,
          versions: [
            {
              version: image.version,
              regions: [{ name: region, ami: 'ami-009357e51d0a076d6', architecture: 'amd64' }],
            },
          ],
        },
      ],
    },
  },
}
