import { type ControlPlaneProvider, managedResource } from '../../../shared/control-plane/control-plane.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRoleBinding,
  role,
  roleBinding,
  systemNamespace,
} from '../../../shared/manifests/manifests.ts'
import { dnsNamesOfService, type SecretConfig } from '../../../shared/secrets-manager/secrets-manager.ts'
import { providerName } from '../provider/local.ts'
import { cloudControllerName as account, cloudController, cloudControllerName } from './cloud-controller.ts'
import { cloudProviderConfig } from './cloud-provider-config.ts'
import { controlPlaneValues } from './control-plane-values.ts'
import { localPathProvisioner, storageClass } from './local-path-provisioner.ts'

const name = `system:${account}`

/** Orphaned until the shoot is gone: the clean-up of its load balancers needs them last. */
const orphaned = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { 'resources.gardener.cloud/keep-object': 'true' } },
})

/** The permissions of the controller in the shoot. */
const cloudControllerRoles: readonly KubernetesObject[] = [
  role(systemNamespace, name, [
    allow('coordination.k8s.io', 'leases', ['create', 'list', 'watch']),
    allow('coordination.k8s.io', 'leases', ['update', 'get'], account),
    allow(['', 'events.k8s.io'], 'events', ['create', 'patch', 'update']),
    allow('', 'serviceaccounts', ['get', 'list', 'watch', 'create']),
    allow('', 'serviceaccounts/token', ['create'], 'service-controller'),
  ]),
  roleBinding(systemNamespace, { name, account }),
  roleBinding(systemNamespace, {
    name: `${name}:auth-reader`,
    role: 'extension-apiserver-authentication-reader',
    account,
  }),
  clusterRoleBinding({
    name: `${name}:service-controller`,
    role: 'system:controller:service-controller',
    account,
  }),
].map(orphaned)

export interface LocalControlPlaneOptions {
  /** The image of the cloud controller manager. */
  readonly image: string
  /** The object with the configuration of webhooks for shoots. Absent: no webhooks. */
  readonly shootWebhooks?: ObjectKey
}

/** The control planes of the provider `local` (docs/contract/provider-local.md#controlplane). */
export const localControlPlane = ({
  image,
  shootWebhooks,
}: LocalControlPlaneOptions): ControlPlaneProvider => ({
  secretsIdentity,
  ...(shootWebhooks && { shootWebhooks }),
  secrets: secretConfigs,
  shootAccess: [cloudControllerName],
  desired: input => {
    const values = controlPlaneValues(input)
    const { namespace } = values
    const config = cloudProviderConfig(values)
    return {
      prerequisites: [managedResource(namespace, 'extension-controlplane-configuration-seed', [config])],
      resources: ({ secrets, replicas }) => [
        managedResource(
          namespace,
          'extension-controlplane-seed',
          cloudController({
            ...values,
            image,
            replicas,
            serverSecret: secrets.current(cloudControllerServer).name,
            configData: config.data ?? {},
          }),
        ),
        managedResource(namespace, 'extension-controlplane-shoot', [
          ...localPathProvisioner,
          ...cloudControllerRoles,
        ]),
        managedResource(namespace, 'extension-controlplane-storageclasses', [storageClass]),
      ],
    }
  },
})

/** Identity of the ControlPlanes' secrets, to distinguish them from others in the namespace. */
const secretsIdentity = `${providerName}-controlplane`

const authority = `ca-${secretsIdentity}`
const cloudControllerServer = `${cloudControllerName}-server`

/** Validity of the password, in ms. */
const passwordMs = 3_600_000

/**
 * The configs of the generated Secrets. The dummies are unused; they demonstrate each kind
 * (docs/contract/provider-local.md#controlplane).
 */
const secretConfigs = (namespace: string): readonly SecretConfig[] => {
  const server = (name: string, service: string) =>
    ({
      kind: 'server',
      name,
      commonName: service,
      dnsNames: dnsNamesOfService(service, namespace),
      signedBy: { ca: authority },
    }) as const
  return [
    { kind: 'ca', name: authority, commonName: authority, persist: true, autoRotate: false },
    { ...server(cloudControllerServer, cloudControllerName), skipPublishingCaCertificate: true },
    server(`${providerName}-dummy-server`, `${providerName}-dummy-server`),
    {
      kind: 'client',
      name: `${providerName}-dummy-client`,
      commonName: `extensions.gardener.cloud:${providerName}:dummy-client`,
      organization: [`extensions.gardener.cloud:${providerName}:dummy`],
      signedBy: { ca: authority },
      skipPublishingCaCertificate: true,
    },
    {
      kind: 'password',
      name: `${providerName}-dummy-auth`,
      passwordLength: 32,
      validityMs: passwordMs,
    },
  ]
}
