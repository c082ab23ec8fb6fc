import {
  type ControlPlaneProvider,
  controlPlaneFlow,
  resourceNames,
} from '../../../shared/control-plane/control-plane.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/**
 * The part of a ControlPlane that depends on the cloud. The flow writes the ManagedResources and the Secrets, scales
 * the components down for a hibernated shoot, and deletes everything in the right order.
 */
const controlPlaneProvider: ControlPlaneProvider = {
  secretsIdentity: 'acme-controlplane',
  secrets: () => [], // TODO: Add the CA and the certificates of the components.
  shootAccess: ['cloud-controller-manager'], // accounts that get a token for the shoot's API server
  desired: ({ controlPlane: { metadata } }) => {
    const { namespace = '' } = metadata
    return {
      prerequisites: [],
      resources: ({ replicas }) => [
        {
          name: resourceNames.seed,
          namespace,
          class: 'seed',
          key: 'controlplane.yaml',
          objects: [cloudControllerManager(namespace, replicas)],
        },
      ],
    }
  },
}

export const createControlPlaneActuator = () => controlPlaneFlow(controlPlaneProvider)

/** TODO: Set its image, flags and credentials. Add a StorageClass and a CSI driver in `resourceNames.shoot`. */
const cloudControllerManager = (namespace: string, replicas: number): KubernetesObject => {
  const labels = { app: 'kubernetes', role: 'cloud-controller-manager' }
  const containers = [
    { name: 'cloud-controller-manager', image: 'registry.example.com/acme-cloud-controller:v1' },
  ]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cloud-controller-manager', namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  }
}
