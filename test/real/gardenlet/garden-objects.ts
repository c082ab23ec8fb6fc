import type { FoundFunction } from '../../../functions/find-functions.ts'
import { controllerRegistration } from '../../../knative/registration/registration.ts'
import type { GardenShoot, Landscape, SeedFacts } from '../../../sandbox/gardenlet/gardenlet.ts'

const core = 'core.gardener.cloud/v1beta1'
const garden = 'garden'

/** The identity that the gardenlets have in the status of Seeds and Shoots. */
const gardener = { id: 'gardenlet', name: 'gardenlet-0', version: 'v0.0.0-master+$Format:%H$' }

const secretOf = (name: string, texts: Readonly<Record<string, string>>, namespace = garden) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type: 'Opaque',
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  ),
})
const refOf = (name: string, namespace = garden) => ({ apiVersion: 'v1', kind: 'Secret', name, namespace })

const parentOf = (domain: string) => domain.slice(domain.indexOf('.') + 1)

/** Returns the objects of the garden besides Shoots: one extension with all functions, installed in every seed. */
export const landscapeObjects = (
  landscape: Landscape,
  seeds: readonly SeedFacts[],
  functions: readonly FoundFunction[],
  shoot: GardenShoot,
): readonly object[] => {
  const { cloudProfile, credentials, dns } = landscape
  const { namespace } = shoot.metadata
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: garden } },
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'project.gardener.cloud/name': garden } },
    },
    { apiVersion: core, kind: 'Project', metadata: { name: garden }, spec: { namespace } },
    cloudProfile,
    secretOf('cloud', credentials, namespace),
    {
      apiVersion: core,
      kind: 'SecretBinding',
      metadata: { name: 'cloud', namespace },
      provider: { type: shoot.spec.provider.type },
      secretRef: { name: 'cloud', namespace },
    },
    secretOf('domains', dns.credentials),
    // Nothing installs the chart.
    controllerRegistration({ name: 'trellis', functions, chart: { kind: 'oci', ref: 'none' }, values: {} }),
    ...seeds.flatMap(({ name, backup }) => [
      secretOf(`backups-${name}`, backup.credentials),
      {
        apiVersion: core,
        kind: 'Seed',
        metadata: { name, uid: backup.bucketName },
        spec: {
          provider: { type: shoot.spec.provider.type, region: shoot.spec.region },
          networks: { pods: '10.1.0.0/16', services: '10.2.0.0/16', nodes: '10.3.0.0/16' },
          dns: {
            internal: { type: dns.type, domain: dns.internalDomain, credentialsRef: refOf('domains') },
            defaults: [
              {
                type: dns.type,
                domain: parentOf(shoot.spec.dns.domain),
                credentialsRef: refOf('domains'),
              },
            ],
          },
          ingress: { domain: `ingress.${name}.example.org`, controller: { kind: 'nginx' } },
          backup: { provider: backup.type, region: backup.region, credentialsRef: refOf(`backups-${name}`) },
        },
        status: {
          gardener,
          kubernetesVersion: '1.33.3',
          conditions: [
            'GardenletReady',
            'ExtensionsReady',
            'SeedSystemComponentsHealthy',
            'Bootstrapped',
          ].map(type => ({ type, status: 'True', reason: 'Ready', message: 'ready' })),
        },
      },
      {
        apiVersion: core,
        kind: 'BackupBucket',
        metadata: { name: backup.bucketName },
        spec: {
          provider: { type: backup.type, region: backup.region },
          credentialsRef: refOf(`backups-${name}`),
          seedName: name,
        },
      },
      {
        apiVersion: core,
        kind: 'ControllerInstallation',
        metadata: { name: `trellis-${name}` },
        spec: { registrationRef: { name: 'trellis' }, seedRef: { name } },
        status: {
          conditions: [
            ['Valid', 'True'],
            ['Installed', 'True'],
            ['Healthy', 'True'],
            ['Progressing', 'False'],
            ['RequiredRuntime', 'True'],
          ].map(([type, status]) => ({ type, status, reason: 'Ready', message: 'ready' })),
        },
      },
    ]),
  ]
}

/** Returns the Shoot as its user and Gardener's API server write it. */
export const shootObject = (
  { metadata, spec }: GardenShoot,
  seed: SeedFacts,
  { cloudProfile }: Landscape,
): object => ({
  apiVersion: core,
  kind: 'Shoot',
  metadata: { ...metadata, generation: 1 },
  spec: {
    ...spec,
    seedName: seed.name,
    cloudProfile: { kind: 'CloudProfile', name: Object(cloudProfile).metadata.name },
    secretBindingName: 'cloud',
    purpose: 'evaluation',
    addons: { nginxIngress: { enabled: true } },
    provider: {
      ...spec.provider,
      workers: spec.provider.workers.map(({ containerRuntimes = [], ...workers }) => ({
        ...workers,
        cri: { name: 'containerd', containerRuntimes },
      })),
    },
  },
})
