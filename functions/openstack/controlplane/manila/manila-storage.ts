import type { V1RoleBinding, V1Secret, V1StorageClass } from '@kubernetes/client-node'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  deleteOnInvalidUpdate,
  role,
  roleBinding,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import type { CloudSnapshotClass } from '../cinder/storage-classes.ts'
import { base64 } from '../config/cloud-configs.ts'
import type { ManilaValues } from '../input/openstack-values.ts'
import { manilaDriver, manilaSecret, roleName } from '../names.ts'
import type { OpenStackRendering } from '../rendering.ts'
import { authorityPath } from './manila-parts.ts'

/** The objects in the shoot by which users claim shares: classes, and the credentials that the classes name. */
export const manilaStorage = (
  rendering: OpenStackRendering,
  manila: ManilaValues,
): readonly KubernetesObject[] => [
  credentialsSecret(rendering),
  role(systemNamespace, secretRole, [allow('', 'secrets', ['get'], manilaSecret)]),
  secretBinding,
  storageClass(manila, className),
  storageClass(manila, `${className}-auto`, { autoTopology: 'true' }),
  ...manila.zones.map(zone => storageClass(manila, `${className}-${zone}`, { availability: zone })),
  snapshotClass,
]

const className = 'csi-manila-nfs'
const secretRole = roleName('csi-manila-secret')

/** The keys are those of Manila's driver (kubernetes/cloud-provider-openstack, `pkg/client/client.go`). */
const credentialsSecret = ({ credentials, region }: OpenStackRendering): Rendered<V1Secret> => {
  const { domainName, tenantName, username, password, applicationCredential, ca } = credentials
  const byName = { 'os-domainName': domainName, 'os-projectName': tenantName, 'os-userName': username }
  const ofUser =
    applicationCredential === undefined
      ? { ...byName, 'os-password': password ?? '' }
      : {
          ...(applicationCredential.id
            ? { 'os-applicationCredentialID': applicationCredential.id }
            : { ...byName, 'os-applicationCredentialName': applicationCredential.name }),
          'os-applicationCredentialSecret': applicationCredential.secret,
        }
  const texts = {
    'os-authURL': credentials.authUrl,
    'os-region': region,
    ...ofUser,
    ...(ca !== undefined && { 'os-certAuthorityPath': authorityPath, 'ca.crt': ca }),
    ...(credentials.isInsecure && { 'os-TLSInsecure': 'true' }),
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: manilaSecret, namespace: systemNamespace },
    data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, base64(text)])),
  }
}

/** The sidecars of Manila have the accounts of Cinder's. */
const secretBinding: Rendered<V1RoleBinding> = {
  ...roleBinding(systemNamespace, { name: secretRole, account: 'csi-provisioner' }),
  subjects: ['csi-provisioner', 'csi-resizer', 'csi-snapshotter'].map(name => ({
    kind: 'ServiceAccount',
    name,
    namespace: systemNamespace,
  })),
}

/** The parameters that name the Secret with the credentials for a task of the driver. */
const secretFor = (task: string): Readonly<Record<string, string>> => ({
  [`csi.storage.k8s.io/${task}-secret-name`]: manilaSecret,
  [`csi.storage.k8s.io/${task}-secret-namespace`]: systemNamespace,
})

const storageClass = (
  { shareNetworkId, clients }: ManilaValues,
  name: string,
  topology: Readonly<Record<string, string>> = {},
): Rendered<V1StorageClass> => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations: deleteOnInvalidUpdate },
  provisioner: manilaDriver,
  allowVolumeExpansion: true,
  volumeBindingMode: 'WaitForFirstConsumer',
  mountOptions: ['nfsvers=4.1'],
  parameters: {
    type: 'default',
    ...topology,
    ...(shareNetworkId !== undefined && { shareNetworkID: shareNetworkId }),
    'nfs-shareClient': clients,
    ...secretFor('provisioner'),
    ...secretFor('node-stage'),
    ...secretFor('node-publish'),
    ...secretFor('controller-expand'),
  },
})

const snapshotClass: CloudSnapshotClass = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotClass',
  metadata: { name: className, annotations: deleteOnInvalidUpdate },
  driver: manilaDriver,
  deletionPolicy: 'Delete',
  parameters: secretFor('snapshotter'),
}
