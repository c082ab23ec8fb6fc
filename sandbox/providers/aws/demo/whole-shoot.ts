import type { AuthorityRotation, GardenShoot, Landscape, SeedFacts } from '../../../gardenlet/gardenlet.ts'
import { furnishedZone } from '../furnished-zone.ts'

const config = 'aws.provider.extensions.gardener.cloud/v1alpha1'
const region = 'eu-west-1'
const zone = 'eu-west-1a'

/** A shoot as its user requests it: one zone, one pool of two machines. */
export const wholeShoot: GardenShoot = {
  metadata: { name: 'iris', namespace: 'garden-garden', uid: '3e4f6c85-9d60-4d3e-b088-50407060904a' },
  spec: {
    region,
    kubernetes: { version: '1.33.3' },
    dns: { domain: `iris.${furnishedZone.name}` },
    hibernation: { enabled: false },
    networking: {
      type: 'calico',
      ipFamilies: ['IPv4'],
      nodes: '10.250.0.0/16',
      pods: '100.96.0.0/11',
      services: '100.64.0.0/13',
    },
    provider: {
      type: 'aws',
      infrastructureConfig: {
        apiVersion: config,
        kind: 'InfrastructureConfig',
        networks: {
          vpc: { cidr: '10.250.0.0/16' },
          zones: [
            {
              name: zone,
              workers: '10.250.0.0/19',
              public: '10.250.96.0/22',
              internal: '10.250.112.0/22',
            },
          ],
        },
      },
      controlPlaneConfig: {
        apiVersion: config,
        kind: 'ControlPlaneConfig',
        loadBalancerController: { enabled: true },
        storage: { managedDefaultClass: true },
      },
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
          volume: { type: 'gp3', size: '50Gi' },
          zones: [zone],
        },
      ],
    },
  },
  status: { technicalID: 'shoot--garden--iris', isHibernated: false },
}

/** The same shoot, hibernated. */
export const asleep = (shoot: GardenShoot): GardenShoot => ({
  ...shoot,
  spec: { ...shoot.spec, hibernation: { enabled: true } },
})
export const rotating = (shoot: GardenShoot, certificateAuthorities: AuthorityRotation): GardenShoot => ({
  ...shoot,
  status: { ...shoot.status, credentials: { rotation: { certificateAuthorities } } },
})
export const during = (shoot: GardenShoot, type: string): GardenShoot => ({
  ...shoot,
  status: { ...shoot.status, lastOperation: { type, state: 'Processing' } },
})

const keyOf = (who: string) => ({
  accessKeyID: `AKIAEXAMPLE${who.toUpperCase().padEnd(9, '0')}`,
  secretAccessKey: `notARealSecretAccessKey/of/${who}`.padEnd(40, '0'),
})

export const landscape: Landscape = {
  cloudProfile: {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'CloudProfile',
    metadata: { name: 'aws' },
    spec: {
      type: 'aws',
      regions: [{ name: region, zones: [{ name: zone }] }],
      machineTypes: [
        { name: 'm5.large', cpu: '2', gpu: '0', memory: '8Gi', architecture: 'amd64' },
        { name: 't3.small', cpu: '2', gpu: '0', memory: '2Gi', architecture: 'amd64' },
      ],
      machineImages: [
        {
          name: 'gardenlinux',
          versions: [{ version: '1877.3.0', classification: 'supported', architectures: ['amd64'] }],
        },
      ],
      bastion: { machineType: { name: 't3.small' } },
      providerConfig: {
        apiVersion: config,
        kind: 'CloudProfileConfig',
        machineImages: [
          {
            name: 'gardenlinux',
            versions: [
              {
                version: '1877.3.0',
                // As in the sandbox's AWS.
                regions: [{ name: region, ami: 'ami-009357e51d0a076d6', architecture: 'amd64' }],
              },
            ],
          },
        ],
      },
    },
  },
  credentials: keyOf('iris'),
  // ssh-ed25519 …
  sshPublicKey:
    'c3NoLWVkMjU1MTkgQUFBQUMzTnphQzFsWkRJMU5URTVBQUFBSUpUV0VFR1RaQnhnNHpQV3lBTzB6S2ZOTzBCa1E3eVRGTm82V3lRcFhMdGQgZ2FyZGVuZXJAdGVzdA==',
  dns: {
    type: 'aws-route53',
    internalDomain: `internal.${furnishedZone.name}`,
    credentials: keyOf('domains'),
  },
}

const seedOf = (name: string, address: string): SeedFacts => ({
  name,
  address,
  backup: { type: 'aws', region, bucketName: `backups-of-seed-${name}`, credentials: keyOf(name) },
})

/** The shoot is created in the first seed and moves to the second. */
export const seeds = {
  first: seedOf('north', '203.0.113.10'),
  second: seedOf('south', '203.0.113.20'),
} as const
