import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { landscape } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Garden } from '../garden/start-garden.ts'
import { kubeconfigText } from '../kube-identity.ts'

const namespace = 'garden'
const account = { namespace, name: 'gardener-operator' }
const genericKubeconfig = 'generic-token-kubeconfig'

/** The access to a virtual garden from the network of its Pods. */
export interface VirtualAccess {
  /** The path of an administrator's kubeconfig. */
  readonly file: string
  /** The path of the CA. */
  readonly certificate: string
  /** The same kubeconfig, which a program of the runtime cluster gets. */
  readonly kubeconfig: string
  /** A kubeconfig whose token is in a file beside it. */
  readonly generic: string
}

export const virtualAccess = async (garden: Garden, address: string): Promise<VirtualAccess> => {
  const server = `https://${address}`
  const { headers, tls } = await garden.server.access.credentials()
  const ca = String(tls?.ca)
  const token = String(headers?.authorization).replace('Bearer ', '')
  const kubeconfig = kubeconfigText(server, { token }, ca)
  const tokenFile = '/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig/token'
  const certificate = join(garden.folder, 'virtual.crt')
  await writeFile(certificate, ca)
  return {
    file: await garden.server.kubeconfig(undefined, server),
    certificate,
    kubeconfig,
    generic: kubeconfigText(server, { tokenFile }, ca),
  }
}

const secret = (
  name: string,
  texts: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, annotations },
  ...{ type: 'Opaque', stringData: texts },
})

const rbac = 'rbac.authorization.k8s.io'
const policy = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'played-garden' } }

/** The objects of a runtime cluster that a reconciled Garden creates, as far as extensions need them. */
export const runtimeObjects = ({ kubeconfig, generic }: VirtualAccess): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: account.name },
    ...{
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  },
  ...['100', '200', '300', '400', '500', 'critical'].map(name => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: `gardener-garden-system-${name}` },
    value: 999_999_000,
  })),
  // The suite plays the Garden: the operator's controller of Gardens gets no further than its first write.
  {
    ...policy,
    kind: 'ValidatingAdmissionPolicy',
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['operator.gardener.cloud'],
            apiVersions: ['*'],
            operations: ['UPDATE'],
            resources: ['gardens', 'gardens/status'],
          },
        ],
      },
      validations: [
        {
          expression: `request.userInfo.username != "system:serviceaccount:${namespace}:${account.name}"`,
          message: 'the suite plays the Garden',
        },
      ],
    },
  },
  {
    ...policy,
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: policy.metadata.name, validationActions: ['Deny'] },
  },
  secret(
    'gardener-internal',
    { kubeconfig },
    // The operator uses it only once a token is in it.
    { 'serviceaccount.resources.gardener.cloud/token-renew-timestamp': '2999-01-01T00:00:00Z' },
  ),
  secret(genericKubeconfig, { kubeconfig: generic }),
  secret('dns', landscape.dns.credentials),
  secret('backup', landscape.credentials),
]

/** A Garden that needs a DNS provider. It could never be without backups again. */
export const garden: KubernetesObject = {
  apiVersion: 'operator.gardener.cloud/v1alpha1',
  kind: 'Garden',
  metadata: {
    name: 'garden',
    annotations: { 'generic-token-kubeconfig.secret.gardener.cloud/name': genericKubeconfig },
  },
  spec: {
    dns: { providers: [{ name: 'primary', type: 'aws-route53', secretRef: { name: 'dns' } }] },
    runtimeCluster: {
      ingress: {
        domains: [{ name: `runtime.${furnishedZone.name}`, provider: 'primary' }],
        controller: { kind: 'nginx' },
      },
      networking: { nodes: ['10.250.0.0/16'], pods: ['10.244.0.0/16'], services: ['10.0.0.0/16'] },
      provider: { region: 'eu-west-1', zones: ['eu-west-1a'] },
      settings: { verticalPodAutoscaler: { enabled: true } },
    },
    virtualCluster: {
      dns: { domains: [{ name: `virtual.${furnishedZone.name}`, provider: 'primary' }] },
      etcd: {
        main: { storage: { capacity: '25Gi' } },
        events: { storage: { capacity: '10Gi' } },
      },
      kubernetes: { version: '1.33.0' },
      gardener: { clusterIdentity: 'garden', gardenerAPIServer: {} },
      maintenance: { timeWindow: { begin: '220000+0100', end: '230000+0100' } },
      networking: { services: ['100.64.0.0/13'] },
    },
  },
}

/** `status` of a Garden that is wholly reconciled. */
export const reconciled: object = {
  lastOperation: {
    type: 'Reconcile',
    state: 'Succeeded',
    progress: 100,
    description: 'the suite plays the Garden',
    lastUpdateTime: '2026-01-01T00:00:00Z',
  },
  observedGeneration: 1,
}
