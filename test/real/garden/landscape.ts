import { landscape, wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { pinnedVersion } from '../../contract/modules.ts'
import { apiServerAddress } from '../knative/machine/container/pod-network.ts'

const namespace = 'garden'

const secret = (
  name: string,
  texts: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>> = {},
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels },
  ...{ type: 'Opaque', stringData: texts },
})

const core = 'core.gardener.cloud/v1beta1'

/** As pinned in `kube/go.mod`: gardenlet waits until the API server of a Shoot has exactly its version. */
const kubernetesVersion = '1.36.4'

/** Gardener requires more of a profile than the imitation of a garden does. */
export const cloudProfile = {
  ...landscape.cloudProfile,
  spec: {
    ...Object(landscape.cloudProfile).spec,
    kubernetes: { versions: [{ version: kubernetesVersion }] },
    volumeTypes: ['gp3', 'io1'].map(name => ({ name, class: 'premium' })),
  },
} as unknown as KubernetesObject

export const projectNamespace = 'garden-lawn'

/** Returns a Secret and a CredentialsBinding of this name in the project. */
export const cloudCredentials = (
  name: string,
  keys: Readonly<Record<string, string>>,
): readonly KubernetesObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...{ name, namespace: projectNamespace },
      labels: { 'provider.shoot.gardener.cloud/aws': 'true' },
    },
    ...{ type: 'Opaque', stringData: keys },
  },
  {
    apiVersion: 'security.gardener.cloud/v1alpha1',
    kind: 'CredentialsBinding',
    metadata: { name, namespace: projectNamespace },
    ...{
      provider: { type: 'aws' },
      credentialsRef: { apiVersion: 'v1', kind: 'Secret', name, namespace: projectNamespace },
    },
  },
]

/** The objects that a project needs before its first Shoot. */
export const projectObjects: readonly KubernetesObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: projectNamespace,
      labels: { 'gardener.cloud/role': 'project', 'project.gardener.cloud/name': 'lawn' },
    },
  },
  {
    apiVersion: core,
    kind: 'Project',
    metadata: { name: 'lawn' },
    spec: {
      namespace: projectNamespace,
      owner: { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'trellis' },
    },
  },
  cloudProfile,
  ...cloudCredentials('cloud', landscape.credentials),
]

/** Returns the Shoot of a user. `credentials`: their CredentialsBinding. */
export const gardenShoot = (name = wholeShoot.metadata.name, credentials = 'cloud'): KubernetesObject => {
  const { dns: _, ...spec } = wholeShoot.spec
  return {
    apiVersion: core,
    kind: 'Shoot',
    metadata: { name, namespace: projectNamespace },
    spec: {
      ...spec,
      kubernetes: { version: kubernetesVersion },
      cloudProfile: { kind: 'CloudProfile', name: 'aws' },
      credentialsBindingName: credentials,
    },
  }
}

/** The objects that an operator of Gardener creates in the garden before its first seed. */
export const gardenObjects: readonly KubernetesObject[] = [
  secret('dns', landscape.dns.credentials),
  secret('backup', landscape.credentials),
  // The operator of Gardener generates it.
  secret(
    'observability',
    { username: 'admin', password: 'secret', auth: 'admin:secret' },
    { 'gardener.cloud/role': 'global-monitoring' },
  ),
  // As Gardener without its SeedAuthorizer (`pkg/component/garden/system/virtual`).
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'gardener.cloud:system:seeds' },
    ...{
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'gardener.cloud:system:seeds' },
      ],
    },
  },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gardener-system-public' } },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'gardener-info', namespace: 'gardener-system-public' },
    ...{ data: { gardenerAPIServer: `version: ${pinnedVersion}\n`, gardenClusterIdentity: 'garden' } },
  },
]

const ref = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', name, namespace })

/** Returns `spec` of a Seed in the machine for pods. */
export const seedSpec = (name: string): object => ({
  provider: { type: 'aws', region: 'eu-west-1' },
  networks: { pods: '10.244.0.0/16', services: `${apiServerAddress.replace(/\.1$/, '.0')}/16` },
  dns: {
    provider: { type: 'aws-route53', credentialsRef: ref('dns') },
    internal: { type: 'aws-route53', domain: `internal.${furnishedZone.name}`, credentialsRef: ref('dns') },
    defaults: [{ type: 'aws-route53', domain: furnishedZone.name, credentialsRef: ref('dns') }],
  },
  ingress: { domain: `ingress.${name}.${furnishedZone.name}`, controller: { kind: 'nginx' } },
  backup: { provider: 'aws', region: 'eu-west-1', credentialsRef: ref('backup') },
})
