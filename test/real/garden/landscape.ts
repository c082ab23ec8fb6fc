import { landscape } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
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
  },
  ingress: { domain: `ingress.${name}.${furnishedZone.name}`, controller: { kind: 'nginx' } },
  backup: { provider: 'aws', region: 'eu-west-1', credentialsRef: ref('backup') },
})
