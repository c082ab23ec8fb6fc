import { cloudControllerName } from '../../../shared/control-plane/components/components.ts'
import {
  type AuthorityConfig,
  type CertificateConfig,
  dnsNamesOfService,
} from '../../../shared/secrets-manager/secrets-manager.ts'
import { webhookServiceName } from './load-balancer-controller/names.ts'

/** Identity of the ControlPlanes' secrets, to distinguish them from others in the namespace. */
export const secretsIdentity = 'provider-aws-controlplane'

/** Components that call the shoot's API server, in write order. Each has a Secret `shoot-access-<name>`. */
export const shootAccessNames: readonly string[] = [
  cloudControllerName,
  'aws-custom-route-controller',
  'aws-ipam-controller',
  'aws-load-balancer-controller',
  'csi-provisioner',
  'csi-attacher',
  'csi-snapshotter',
  'csi-resizer',
  'csi-snapshot-controller',
  'csi-volume-modifier',
]

const authority = `ca-${secretsIdentity}`

const server = (name: string, service: string, namespace: string): Omit<CertificateConfig, 'signedBy'> => ({
  kind: 'server',
  name,
  commonName: service,
  dnsNames: dnsNamesOfService(service, namespace),
  skipPublishingCaCertificate: true,
})

export const secretConfigNames = {
  authority,
  cloudControllerServer: `${cloudControllerName}-server`,
  loadBalancerWebhookServer: webhookServiceName,
} as const

/**
 * The certificates of a control plane (docs/contract/control-plane.md#generated-secrets), in the order of their
 * creation. The current CA signs that of the webhooks: callers trust a bundle of both CAs until the old one is deleted.
 */
export const secretConfigs = (
  namespace: string,
): {
  readonly authorities: readonly AuthorityConfig[]
  readonly certificates: readonly CertificateConfig[]
} => ({
  authorities: [
    {
      kind: 'ca',
      name: authority,
      commonName: authority,
      persist: true,
      // Only a rotation of the shoot replaces it, because nodes and users trust it.
      autoRotate: false,
    },
  ],
  certificates: [
    {
      ...server(secretConfigNames.cloudControllerServer, cloudControllerName, namespace),
      signedBy: { ca: authority, use: 'old' },
    },
    {
      ...server(secretConfigNames.loadBalancerWebhookServer, webhookServiceName, namespace),
      signedBy: { ca: authority, use: 'current' },
    },
  ],
})
