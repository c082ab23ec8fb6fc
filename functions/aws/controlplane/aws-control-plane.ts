import { calicoPolicy, calicoShootCleanUp } from '../../../shared/control-plane/components/components.ts'
import {
  type ControlPlaneProvider,
  checksum,
  managedResource,
  type UsableSecrets,
} from '../../../shared/control-plane/control-plane.ts'
import { findImage, type ImageSource } from '../../../shared/images/images.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../../../shared/resources/resources.ts'
import { cloudController } from './cloud-controller/cloud-controller.ts'
import { cloudProviderConfig } from './cloud-controller/cloud-provider-config.ts'
import { crds } from './crds/crds.ts'
import { csiDriverController } from './csi/csi-driver-controller.ts'
import { csiDriverNode } from './csi/csi-driver-node.ts'
import { csiSnapshotController } from './csi/csi-snapshot-controller.ts'
import { storageClasses } from './csi/storage-classes.ts'
import { efs } from './efs/efs.ts'
import { type ControlPlaneValues, controlPlaneValues } from './input/control-plane-values.ts'
import { loadBalancerCondition, noLoadBalancersType } from './load-balancer-condition.ts'
import { loadBalancerController } from './load-balancer-controller/load-balancer-controller.ts'
import { ipamController } from './node-controllers/ipam-controller.ts'
import { routeController } from './node-controllers/route-controller.ts'
import type { Component, GeneratedNames, Rendering } from './objects/workload.ts'
import { secretConfigNames, secretConfigs, secretsIdentity, shootAccessNames } from './secrets.ts'

/** Annotation of the ControlPlane: the nodes of this shoot no longer have a condition of Calico. */
const cleanUpAnnotation = 'aws.provider.extensions.gardener.cloud/calico-cleanup-completed'

/**
 * The control plane of AWS, with these images. `shootWebhooks`: the object with their configuration; absent: no
 * webhooks.
 */
export const awsControlPlane = (
  images: readonly ImageSource[],
  shootWebhooks?: ObjectKey,
): ControlPlaneProvider => ({
  secretsIdentity,
  ...(shootWebhooks && { shootWebhooks }),
  secrets: namespace => {
    const { authorities, certificates } = secretConfigs(namespace)
    return [...authorities, ...certificates]
  },
  shootAccess: shootAccessNames,
  desired: input => {
    const values = controlPlaneValues({ ...input, secretLabels: input.secret?.labels ?? {} })
    const configuration = configurationResource(values)
    return {
      prerequisites: [configuration],
      resources: ({ secrets, cloudproviderData, replicas }) =>
        desiredControlPlane({
          values,
          images,
          generated: generatedNames(secrets),
          cloudproviderData,
          replicas,
        }).filter(({ name }) => name !== configuration.name),
      conditions: { [noLoadBalancersType]: loadBalancerCondition(values) },
      shootCleanUp: calicoShootCleanUp(
        cleanUpAnnotation,
        input.controlPlane,
        input.cluster,
        values.networking,
      ),
    }
  },
})

const generatedNames = ({ current, bundle }: UsableSecrets): GeneratedNames => {
  const { authority, cloudControllerServer, loadBalancerWebhookServer } = secretConfigNames
  return {
    cloudControllerServer: current(cloudControllerServer).name,
    loadBalancerWebhookServer: current(loadBalancerWebhookServer).name,
    caBundle: Buffer.from(bundle(authority).data['bundle.crt'] ?? '', 'base64').toString(),
  }
}

const components: readonly Component[] = [
  cloudController,
  routeController,
  ipamController,
  loadBalancerController,
  csiDriverController,
  csiSnapshotController,
  csiDriverNode,
  efs,
  { shoot: calicoPolicy },
]

export interface DesiredControlPlaneOptions {
  readonly values: ControlPlaneValues
  /** `imageTable` with the overrides of an operator. */
  readonly images: readonly ImageSource[]
  readonly generated: GeneratedNames
  /** Base64 data of the Secret `cloudprovider`, as the API server returns it. `{}` if no Secret exists. */
  readonly cloudproviderData: Readonly<Record<string, string>>
  /** 1, or 0 if the shoot is hibernated and its API server is down. */
  readonly replicas: number
}

/** The ConfigMap for the cloud controller manager. Applied before the others; it needs no certificate. */
const configurationResource = (values: ControlPlaneValues): DesiredManagedResource =>
  managedResource(values.namespace, 'extension-controlplane-configuration-seed', [
    cloudProviderConfig(values),
  ])

/**
 * Returns all objects of a control plane in the seed and in the shoot, in the order of their writes
 * (docs/contract/control-plane.md#managedresources). Sends no request. Throws a `CodedError` if a version of Kubernetes
 * has no image.
 */
export const desiredControlPlane = ({
  values,
  images,
  generated,
  cloudproviderData,
  replicas,
}: DesiredControlPlaneOptions): readonly DesiredManagedResource[] => {
  const rendering: Rendering = {
    ...values,
    replicas,
    generated,
    image: name => findImage(images, name, values.version.text),
    checksums: {
      cloudprovider: checksum(cloudproviderData),
      // Based on the desired ConfigMap, because the actual one may not exist yet.
      cloudProviderConfig: checksum(cloudProviderConfig(values).data),
    },
  }
  const of = (cluster: keyof Component): readonly KubernetesObject[] =>
    components.flatMap(component => component[cluster]?.(rendering) ?? [])
  return [
    configurationResource(values),
    managedResource(values.namespace, 'extension-controlplane-seed', of('seed')),
    managedResource(values.namespace, 'extension-controlplane-shoot', of('shoot')),
    managedResource(
      values.namespace,
      'extension-controlplane-shoot-crds',
      crds({ hasLoadBalancerController: values.config.loadBalancerController.enabled }),
    ),
    managedResource(
      values.namespace,
      'extension-controlplane-storageclasses',
      storageClasses({ isDefault: values.config.managedDefaultClass }),
    ),
  ]
}
