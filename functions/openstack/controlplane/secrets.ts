import { cloudControllerName } from '../../../shared/control-plane/components/components.ts'
import { dnsNamesOfService, type SecretConfig } from '../../../shared/secrets-manager/secrets-manager.ts'

/** Identity of the ControlPlanes' secrets, to distinguish them from others in the namespace. */
export const secretsIdentity = 'provider-openstack-controlplane'

/** Components that call the shoot's API server, in write order. Each has a Secret `shoot-access-<name>`. */
export const shootAccessNames: readonly string[] = [
  cloudControllerName,
  'csi-provisioner',
  'csi-attacher',
  'csi-snapshotter',
  'csi-resizer',
  'csi-snapshot-controller',
]

const authority = `ca-${secretsIdentity}`

export const cloudControllerServer = `${cloudControllerName}-server`

/** The certificates of a control plane (docs/contract/openstack.md#controlplane), in the order of their creation. */
export const secretConfigs = (namespace: string): readonly SecretConfig[] => [
  // Only a rotation of the shoot replaces it, because nodes and users trust it.
  { kind: 'ca', name: authority, commonName: authority, persist: true, autoRotate: false },
  {
    kind: 'server',
    name: cloudControllerServer,
    commonName: cloudControllerName,
    dnsNames: dnsNamesOfService(cloudControllerName, namespace),
    skipPublishingCaCertificate: true,
    signedBy: { ca: authority, use: 'old' },
  },
]
