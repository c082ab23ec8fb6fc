import type { GardenShoot, Landscape, SeedFacts } from '../../../gardenlet/gardenlet.ts'
import { madeUpCluster } from '../made-up-cluster.ts'

const { region, cloudProfile } = madeUpCluster
const zone = 'local.gardener.cloud'

/** A shoot without a cloud that has an object of every kind: two pools, each with its own operating system. */
export const localShoot: GardenShoot = {
  metadata: { name: 'moss', namespace: 'garden-garden', uid: '1a4f6c85-9d60-4d3e-b088-50407060904b' },
  spec: {
    region,
    kubernetes: { version: '1.33.3' },
    dns: { domain: `moss.${zone}` },
    hibernation: { enabled: false },
    networking: {
      type: 'calico',
      nodes: '10.0.128.0/17',
      pods: '10.3.0.0/16',
      services: '10.4.0.0/16',
      ipFamilies: ['IPv4'],
    },
    extensions: [
      { type: 'local-ext-seed' },
      { type: 'local-ext-shoot' },
      { type: 'local-ext-shoot-after-worker' },
    ],
    provider: {
      type: 'local',
      infrastructureConfig: {},
      controlPlaneConfig: {},
      workers: [pool('a', 'local', [{ type: 'gvisor' }]), pool('b', 'gardenlinux')],
    },
  },
  status: { technicalID: 'shoot--garden--moss', isHibernated: false },
}

function pool(name: string, image: string, containerRuntimes: readonly { readonly type: string }[] = []) {
  return {
    name,
    machine: { type: 'local', architecture: 'amd64', image: { name: image, version: '1.0.0' } },
    minimum: 1,
    maximum: 1,
    maxSurge: 1,
    maxUnavailable: 0,
    volume: { type: 'none', size: '1Gi' },
    zones: ['0'],
    containerRuntimes,
  }
}

const images = ['local', 'gardenlinux', 'ubuntu', 'suse-chost']

export const localLandscape: Landscape = {
  cloudProfile: {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'CloudProfile',
    metadata: { name: 'local' },
    spec: {
      ...cloudProfile,
      type: 'local',
      machineImages: images.map(name => ({
        name,
        versions: [{ version: '1.0.0', architectures: ['amd64'] }],
      })),
      providerConfig: {
        ...Object(cloudProfile.providerConfig),
        machineImages: images.map(name => ({
          name,
          versions: [{ version: '1.0.0', image: `registry.example.org/${name}:1.0.0` }],
        })),
      },
    },
  },
  credentials: { kubeconfig: 'any' },
  sshPublicKey: 'c3NoLWVkMjU1MTk=',
  dns: { type: 'local', internalDomain: `internal.${zone}`, credentials: {} },
  extensionPhases: {
    'local-ext-seed': 'before-kube-apiserver',
    'local-ext-shoot-after-worker': 'after-worker',
  },
}

const seedOf = (name: string, address: string): SeedFacts => ({
  name,
  address,
  backup: { type: 'local', region, bucketName: `backups-of-seed-${name}`, credentials: {} },
})
export const localSeeds = {
  first: seedOf('north', '172.18.255.10'),
  second: seedOf('south', '172.18.255.20'),
}
