import type { MadeUpCluster } from '../provider.ts'

const region = 'RegionOne'
/** The connection of the simulated cloud overrides it. */
const keystoneURL = 'http://openstack.example.com/identity/v3'

/** The image of the simulated cloud. Every help text loads this file, so the id is not imported from it. */
export const imageId = 'c150818d-45dc-406e-8a1a-1058be447b00'

const image = { name: 'gardenlinux', version: '1877.3.0' }

/** A shoot with machine types, an image and a floating pool of the simulated OpenStack. */
export const madeUpCluster: MadeUpCluster = {
  region,
  kubernetesVersion: '1.33.3',
  cloudProfile: {
    machineTypes: [
      { name: 'm1.small', cpu: '1', architecture: 'amd64' },
      { name: 'm5.large', cpu: '2', architecture: 'amd64' },
    ],
    machineImages: [{ name: image.name, versions: [{ version: image.version, architectures: ['amd64'] }] }],
    bastion: { machineType: { name: 'm1.small' }, machineImage: image },
    providerConfig: {
      apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'CloudProfileConfig',
      keystoneURL,
      constraints: { floatingPools: [{ name: 'public' }], loadBalancerProviders: [{ name: 'amphora' }] },
      dnsServers: ['10.10.10.10', '10.10.10.11'],
      machineImages: [
        {
          name: image.name,
          versions: [
            {
              version: image.version,
              image: `${image.name}-${image.version}`,
              regions: [{ name: region, id: imageId, architecture: 'amd64' }],
            },
          ],
        },
      ],
    },
  },
}
