import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  type Otherwise,
  play,
  withOther,
} from '../../../../shared/webhooks/admission/testing/play-reviews.ts'
import { apiVersion } from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import { definition as mutator } from '../mutator/webhook.ts'
import { definition as secretsValidator } from '../secrets-validator/webhook.ts'
import { definition as validator } from '../validator/webhook.ts'

const core = 'core.gardener.cloud/v1beta1'
const namespace = 'garden-p'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Ids of a network and of a subnet. */
export const ids = {
  network: '0f2b2a3e-6b0f-4d55-8a51-6f0d4f3f9a01',
  subnet: '4c1de1d2-4b5f-4b39-9c1c-1df1c3b1c202',
} as const

/** The data of a Secret, encoded. */
export const dataOf = (values: Readonly<Record<string, string>>): Otherwise => ({
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)])),
})

export const usualValues = {
  domainName: 'acme',
  tenantName: 'project',
  username: 'gardener',
  password: 'very-secret',
}

/** A Secret with usable credentials of the domain `acme`. */
export const secretWith = (other?: Otherwise): KubernetesObject =>
  withOther(
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'creds', namespace } },
    { ...dataOf(usualValues), ...other },
  )

/** The config of the CloudProfile of `cloudProfileWith`. */
const profileConfig = {
  apiVersion,
  kind: 'CloudProfileConfig',
  keystoneURL: 'https://keystone.example.com:5000/v3',
  constraints: {
    floatingPools: [
      {
        name: 'public',
        loadBalancerClasses: [
          { name: 'lb', floatingSubnetID: ids.subnet },
          { name: 'inner', subnetID: 'here' },
        ],
      },
      { name: 'other' },
    ],
    loadBalancerProviders: [{ name: 'amphora' }, { name: 'ovn', region: 'eu-2' }],
  },
  serverGroupPolicies: ['anti-affinity', 'affinity'],
  machineImages: [
    {
      name: 'gardenlinux',
      versions: [{ version: '1.0.0', regions: [{ name: 'eu-1', id: 'image-1' }] }],
    },
  ],
}

/** A valid CloudProfile. */
export const cloudProfileWith = (other?: Otherwise): KubernetesObject =>
  withOther(
    {
      apiVersion: core,
      kind: 'CloudProfile',
      metadata: { name: 'os' },
      spec: {
        machineImages: [{ name: 'gardenlinux', versions: [{ version: '1.0.0', architectures: ['amd64'] }] }],
        providerConfig: profileConfig,
      },
    },
    other,
  )

export const capabilities = {
  'spec.machineCapabilities': [
    { name: 'architecture', values: ['amd64', 'arm64'] },
    { name: 'hypervisor', values: ['kvm', 'qemu'] },
  ],
}

/** A valid NamespacedCloudProfile with an image that its parent `os` does not have. */
export const namespacedProfileWith = (other?: Otherwise): KubernetesObject =>
  withOther(
    {
      apiVersion: core,
      kind: 'NamespacedCloudProfile',
      metadata: { name: 'n', namespace, generation: 1 },
      spec: {
        parent: { kind: 'CloudProfile', name: 'os' },
        machineImages: [{ name: 'own', versions: [{ version: '2.0.0', architectures: ['amd64'] }] }],
        providerConfig: {
          apiVersion,
          kind: 'CloudProfileConfig',
          machineImages: [
            { name: 'own', versions: [{ version: '2.0.0', regions: [{ name: 'eu-1', id: 'image-2' }] }] },
          ],
        },
      },
    },
    other,
  )

/** A valid Shoot with one pool in one zone, with credentials of the domain `acme`. */
export const shootWith = (other?: Otherwise): KubernetesObject =>
  withOther(
    {
      apiVersion: core,
      kind: 'Shoot',
      metadata: { name: 's', namespace },
      spec: {
        cloudProfile: { kind: 'CloudProfile', name: 'os' },
        region: 'eu-1',
        secretBindingName: 'binding',
        kubernetes: { version: '1.33.3' },
        networking: { type: 'calico', nodes: '10.250.0.0/16', pods: '100.96.0.0/11' },
        provider: {
          type: 'openstack',
          infrastructureConfig: {
            apiVersion,
            kind: 'InfrastructureConfig',
            floatingPoolName: 'public',
            networks: { workers: '10.250.0.0/19' },
          },
          controlPlaneConfig: { apiVersion, kind: 'ControlPlaneConfig', loadBalancerProvider: 'amphora' },
          workers: [{ name: 'a', machine: { type: 'm' }, zones: ['z1', 'z2'] }],
        },
      },
    },
    other,
  )

/** A WorkerConfig. */
export const workerConfig = (fields: object): object => ({ apiVersion, kind: 'WorkerConfig', ...fields })

/** The objects of the garden, with changes of the CloudProfile. */
export const gardenWith = (profile?: Otherwise): readonly KubernetesObject[] => [
  cloudProfileWith(profile),
  secretWith(),
  secretWith({ 'metadata.name': 'dns', ...dataOf({ ...usualValues, OS_AUTH_URL: 'https://k.test/v3' }) }),
  secretWith({ 'metadata.name': 'bad', data: {} }),
  {
    apiVersion: core,
    kind: 'SecretBinding',
    metadata: { name: 'binding', namespace },
    secretRef: { name: 'creds', namespace },
  },
  {
    apiVersion: 'security.gardener.cloud/v1alpha1',
    kind: 'CredentialsBinding',
    metadata: { name: 'inner', namespace },
    credentialsRef: { apiVersion: core, kind: 'InternalSecret', name: 'creds', namespace },
  },
  withOther(secretWith(), { apiVersion: core, kind: 'InternalSecret' }),
]

export const mutate = play(mutator, gardenWith())
export const validate = play(validator, gardenWith())
export const validateSecretObject = play(secretsValidator, gardenWith())
