import type { GardenShoot, Landscape, SeedFacts } from '../../../gardenlet/gardenlet.ts'
import { madeUpCluster } from '../made-up-cluster.ts'
import { domain } from '../simulator/openstack.ts'

const apiVersion = 'openstack.provider.extensions.gardener.cloud/v1alpha1'
const { region, cloudProfile, kubernetesVersion } = madeUpCluster
const zone = 'nova'

export const zoneName = 'example.com'

/** A shoot as its user requests it: one pool of two machines. */
export const wholeShoot: GardenShoot = {
  metadata: { name: 'iris', namespace: 'garden-garden', uid: '3e4f6c85-9d60-4d3e-b088-50407060904a' },
  spec: {
    region,
    kubernetes: { version: kubernetesVersion },
    dns: { domain: `iris.${zoneName}` },
    hibernation: { enabled: false },
    networking: {
      type: 'calico',
      ipFamilies: ['IPv4'],
      nodes: '10.250.0.0/16',
      pods: '100.96.0.0/11',
      services: '100.64.0.0/13',
    },
    provider: {
      type: 'openstack',
      infrastructureConfig: {
        apiVersion,
        kind: 'InfrastructureConfig',
        floatingPoolName: 'public',
        networks: { workers: '10.250.0.0/16' },
      },
      controlPlaneConfig: { apiVersion, kind: 'ControlPlaneConfig', loadBalancerProvider: 'amphora' },
      workers: [
        {
          name: 'all',
          machine: {
            type: 'm5.large',
            architecture: 'amd64',
            image: { name: 'gardenlinux', version: '1877.3.0' },
          },
          minimum: 2,
          maximum: 2,
          maxSurge: 1,
          maxUnavailable: 0,
          volume: { type: 'default', size: '50Gi' },
          zones: [zone],
          // Beyond the fields that every cloud has.
          ...{
            providerConfig: {
              apiVersion,
              kind: 'WorkerConfig',
              serverGroup: { policy: 'soft-anti-affinity' },
            },
          },
        },
      ],
    },
  },
  status: { technicalID: 'shoot--garden--iris', isHibernated: false },
}

/** A project with a user of the same name. */
export const projects = ['domains', 'backups'] as const

const credentialsOf = (tenantName: string, username = tenantName) => ({
  domainName: domain,
  tenantName,
  username,
  password: `${username}-secret`,
})

const { bastion, machineTypes, machineImages, providerConfig } = cloudProfile as Readonly<
  Record<string, readonly object[]>
>

export const landscape: Landscape = {
  cloudProfile: {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'CloudProfile',
    metadata: { name: 'openstack' },
    spec: {
      type: 'openstack',
      regions: [{ name: region, zones: [{ name: zone }] }],
      machineTypes: machineTypes?.map(type => ({ gpu: '0', memory: '8Gi', ...type })),
      machineImages,
      bastion,
      providerConfig,
    },
  },
  credentials: credentialsOf('shoots', 'gardener'),
  // ssh-ed25519 …
  sshPublicKey:
    'c3NoLWVkMjU1MTkgQUFBQUMzTnphQzFsWkRJMU5URTVBQUFBSUpUV0VFR1RaQnhnNHpQV3lBTzB6S2ZOTzBCa1E3eVRGTm82V3lRcFhMdGQgZ2FyZGVuZXJAdGVzdA==',
  dns: {
    type: 'openstack-designate',
    internalDomain: `internal.${zoneName}`,
    credentials: credentialsOf('domains'),
  },
}

const seedOf = (name: string, address: string): SeedFacts => ({
  name,
  address,
  backup: {
    type: 'openstack',
    region,
    bucketName: `backups-of-seed-${name}`,
    credentials: { ...credentialsOf('backups'), authURL: 'http://openstack.example.com/identity/v3' },
  },
})

/** The shoot is created in the first seed and moves to the second. */
export const seeds = {
  first: seedOf('north', '203.0.113.10'),
  second: seedOf('south', '203.0.113.20'),
} as const
