import { type ImageSource, imageSettingsFor } from '../../../../shared/images/images.ts'

/** Image names as used by an overwrite (docs/contract/provider-openstack.md#controlplane). */
export type OpenStackImage = (typeof imageTable)[number]['name']

const cloudProvider = 'registry.k8s.io/provider-os'
const storage = 'registry.k8s.io/sig-storage'

/** One version per minor version of Kubernetes. The last one also applies to all later versions. */
const versions = [
  ['1.32.x', 'v1.32.1'],
  ['1.33.x', 'v1.33.1'],
  ['1.34.x', 'v1.34.1'],
  ['1.35.x', 'v1.35.0'],
  ['>= 1.36', 'v1.36.0'],
] as const

const byVersion = <N extends string>(name: N, repository: string) =>
  versions.map(([targetVersion, tag]) => ({ name, repository, tag, targetVersion }))

/**
 * The images of all components by Kubernetes version of the shoot. An entry without a version applies if no other entry
 * does.
 */
export const imageTable = [
  ...byVersion('cloud-controller-manager', `${cloudProvider}/openstack-cloud-controller-manager`),
  ...byVersion('csi-driver-cinder', `${cloudProvider}/cinder-csi-plugin`),
  ...byVersion('csi-driver-manila', `${cloudProvider}/manila-csi-plugin`),
  { name: 'csi-driver-nfs', repository: `${storage}/nfsplugin`, tag: 'v4.13.4' },
  {
    name: 'machine-controller-manager-provider-openstack',
    repository:
      'europe-docker.pkg.dev/gardener-project/releases/gardener/machine-controller-manager-provider-openstack',
    tag: 'v0.27.1',
  },
  { name: 'csi-provisioner', repository: `${storage}/csi-provisioner`, tag: 'v5.3.0' },
  {
    name: 'csi-provisioner',
    repository: `${storage}/csi-provisioner`,
    tag: 'v6.3.0',
    targetVersion: '>= 1.34',
  },
  { name: 'csi-resizer', repository: `${storage}/csi-resizer`, tag: 'v1.14.0' },
  { name: 'csi-resizer', repository: `${storage}/csi-resizer`, tag: 'v2.2.1', targetVersion: '>= 1.34' },
  { name: 'csi-attacher', repository: `${storage}/csi-attacher`, tag: 'v4.12.0' },
  { name: 'csi-snapshotter', repository: `${storage}/csi-snapshotter`, tag: 'v8.6.0' },
  { name: 'csi-snapshot-controller', repository: `${storage}/snapshot-controller`, tag: 'v8.6.0' },
  {
    name: 'csi-node-driver-registrar',
    repository: `${storage}/csi-node-driver-registrar`,
    tag: 'v2.17.0',
  },
  { name: 'csi-liveness-probe', repository: `${storage}/livenessprobe`, tag: 'v2.19.0' },
] as const satisfies readonly ImageSource[]

export const imageSettings = imageSettingsFor(imageTable)
