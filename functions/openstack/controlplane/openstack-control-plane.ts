import {
  calicoPolicy,
  calicoShootCleanUp,
  snapshotController,
  volumeSnapshotCrds,
} from '../../../shared/control-plane/components/components.ts'
import {
  type ControlPlaneProvider,
  checksum,
  managedResource,
} from '../../../shared/control-plane/control-plane.ts'
import { findImage, type ImageSource } from '../../../shared/images/images.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../../../shared/resources/resources.ts'
import { cinderController } from './cinder/cinder-controller.ts'
import { cinderNode } from './cinder/cinder-node.ts'
import { storageClasses } from './cinder/storage-classes.ts'
import { cloudController } from './cloud-controller.ts'
import { cloudConfigs } from './config/cloud-configs.ts'
import { type OpenStackValues, openstackValues } from './input/openstack-values.ts'
import { manilaController } from './manila/manila-controller.ts'
import { manilaNode } from './manila/manila-node.ts'
import { manilaStorage } from './manila/manila-storage.ts'
import { apiLimits, type OpenStackComponent, type OpenStackRendering, unprivileged } from './rendering.ts'
import { cloudControllerServer, secretConfigs, secretsIdentity, shootAccessNames } from './secrets.ts'

/** Annotation of the ControlPlane: the nodes of this shoot no longer have a condition of Calico. */
const cleanUpAnnotation = 'openstack.provider.extensions.gardener.cloud/calico-cleanup-completed'

/** The control plane of OpenStack, with these images. It calls no OpenStack. */
export const openstackControlPlane = (images: readonly ImageSource[]): ControlPlaneProvider => ({
  secretsIdentity,
  secrets: secretConfigs,
  shootAccess: shootAccessNames,
  desired: input => {
    const values = openstackValues(input)
    return {
      prerequisites: [configurationResource(values)],
      resources: ({ secrets, cloudproviderData, replicas }) =>
        componentResources({
          ...values,
          replicas,
          serverSecret: secrets.current(cloudControllerServer).name,
          image: name => findImage(images, name, values.version.text),
          configs: cloudConfigs(values),
          cloudproviderChecksum: checksum(cloudproviderData),
        }),
      shootCleanUp: calicoShootCleanUp(
        cleanUpAnnotation,
        input.controlPlane,
        input.cluster,
        values.networking,
      ),
    }
  },
})

const csiSnapshotController: OpenStackComponent = {
  seed: ({ namespace, replicas, image, genericKubeconfig }) =>
    snapshotController({
      namespace,
      replicas,
      genericKubeconfig,
      image: image('csi-snapshot-controller'),
      container: 'openstack-csi-snapshot-controller',
      securityContext: unprivileged,
      args: apiLimits,
    }),
}

/** Shared file systems over NFS. */
const manila: OpenStackComponent = {
  seed: rendering => (rendering.manila ? manilaController(rendering) : []),
  shoot: rendering =>
    rendering.manila ? [...manilaNode(rendering), ...manilaStorage(rendering, rendering.manila)] : [],
}

const components: readonly OpenStackComponent[] = [
  cloudController,
  cinderController,
  csiSnapshotController,
  cinderNode,
  manila,
  { shoot: calicoPolicy },
]

/** The configurations with the credentials. Applied before the components, which mount them. */
const configurationResource = (values: OpenStackValues): DesiredManagedResource => {
  const { cloudController, disks, unused } = cloudConfigs(values)
  return managedResource(values.namespace, 'extension-controlplane-configuration-seed', [
    cloudController,
    disks,
    unused,
  ])
}

const componentResources = (rendering: OpenStackRendering): readonly DesiredManagedResource[] => {
  const { namespace, profile } = rendering
  const of = (cluster: keyof OpenStackComponent): readonly KubernetesObject[] =>
    components.flatMap(component => component[cluster]?.(rendering) ?? [])
  return [
    managedResource(namespace, 'extension-controlplane-seed', of('seed')),
    managedResource(namespace, 'extension-controlplane-shoot', of('shoot')),
    managedResource(namespace, 'extension-controlplane-shoot-crds', volumeSnapshotCrds),
    managedResource(namespace, 'extension-controlplane-storageclasses', storageClasses(profile)),
  ]
}
