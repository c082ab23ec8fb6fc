import { type ImageSource, imageSettingsFor } from '../../../../shared/images/images.ts'

/** Image names as used by an overwrite (docs/contract/control-plane.md#images). */
export type ImageName = (typeof imageTable)[number]['name']

const gardener = 'europe-docker.pkg.dev/gardener-project/releases/gardener'
const cloudProvider = 'registry.k8s.io/provider-aws'
const sidecars = 'registry.k8s.io/sig-storage'

/** One version per minor version of Kubernetes. A version that is missing here has no control plane. */
const cloudControllers = [
  ['1.32.x', 'v1.32.8'],
  ['1.33.x', 'v1.33.4'],
  ['1.34.x', 'v1.34.3'],
  ['1.35.x', 'v1.35.2'],
  ['1.36.x', 'v1.36.1'],
] as const

/** One version per minor version of a kubelet. The last one also applies to all later versions. */
const credentialProviders = [
  ['1.32.x', 'v1.32.0'],
  ['1.33.x', 'v1.33.0'],
  ['1.34.x', 'v1.34.1'],
  ['1.35.x', 'v1.35.1'],
  ['>= 1.36', 'v1.36.0'],
] as const

/**
 * The images of all components by Kubernetes version of the shoot. An entry without a version applies if no other entry
 * does.
 */
export const imageTable = [
  ...cloudControllers.map(([targetVersion, tag]) => ({
    name: 'cloud-controller-manager' as const,
    repository: `${cloudProvider}/cloud-controller-manager`,
    tag,
    targetVersion,
  })),
  {
    name: 'machine-controller-manager-provider-aws',
    repository: `${gardener}/machine-controller-manager-provider-aws`,
    tag: 'v0.28.1',
  },
  ...credentialProviders.map(([targetVersion, tag]) => ({
    name: 'ecr-credential-provider' as const,
    repository: `${gardener}/extensions/ecr-credential-provider`,
    tag,
    targetVersion,
  })),
  {
    name: 'aws-custom-route-controller',
    repository: `${gardener}/aws-custom-route-controller`,
    tag: 'v0.17.0',
  },
  { name: 'aws-ipam-controller', repository: `${gardener}/aws-ipam-controller`, tag: 'v0.11.0' },
  {
    name: 'aws-load-balancer-controller',
    repository: 'public.ecr.aws/eks/aws-load-balancer-controller',
    tag: 'v3.5.0',
  },
  { name: 'csi-driver', repository: `${cloudProvider}/aws-ebs-csi-driver`, tag: 'v1.63.1' },
  {
    name: 'csi-driver-efs',
    repository: 'public.ecr.aws/efs-csi-driver/amazon/aws-efs-csi-driver',
    tag: 'v3.4.1',
  },
  {
    name: 'csi-volume-modifier',
    repository: 'public.ecr.aws/ebs-csi-driver/volume-modifier-for-k8s',
    tag: 'v0.9.3',
  },
  { name: 'csi-provisioner', repository: `${sidecars}/csi-provisioner`, tag: 'v5.3.0' },
  {
    name: 'csi-provisioner',
    repository: `${sidecars}/csi-provisioner`,
    tag: 'v6.3.0',
    targetVersion: '>= 1.34',
  },
  { name: 'csi-resizer', repository: `${sidecars}/csi-resizer`, tag: 'v1.14.0' },
  { name: 'csi-resizer', repository: `${sidecars}/csi-resizer`, tag: 'v2.2.1', targetVersion: '>= 1.34' },
  { name: 'csi-attacher', repository: `${sidecars}/csi-attacher`, tag: 'v4.12.0' },
  { name: 'csi-snapshotter', repository: `${sidecars}/csi-snapshotter`, tag: 'v8.6.0' },
  { name: 'csi-snapshot-controller', repository: `${sidecars}/snapshot-controller`, tag: 'v8.6.0' },
  {
    name: 'csi-node-driver-registrar',
    repository: `${sidecars}/csi-node-driver-registrar`,
    tag: 'v2.17.0',
  },
  { name: 'csi-liveness-probe', repository: `${sidecars}/livenessprobe`, tag: 'v2.19.0' },
] as const satisfies readonly ImageSource[]

export const imageSettings = imageSettingsFor(imageTable)
