import type { V1Deployment } from '@kubernetes/client-node'
import type { Rendered } from '../../kubernetes/kubernetes.ts'
import {
  availabilityLabels,
  controlPlaneLabels,
  networkLabels,
  type TextMap,
} from '../../manifests/manifests.ts'
import { kubeconfigVolume } from '../../shoot/shoot.ts'
import type { PodVolume } from './volumes.ts'
import type { Container } from './workload.ts'

export interface DriverController {
  readonly namespace: string
  readonly name: string
  readonly labels: TextMap
  readonly replicas: number
  /** Checksums of its configuration and credentials. */
  readonly annotations: TextMap
  /** Labels for traffic, beside that to the internet and the shoot's API server. */
  readonly networks?: TextMap
  readonly containers: readonly Container[]
  readonly volumes: readonly PodVolume[]
}

/** Returns the Deployment in the seed of a CSI driver with its sidecars. */
export const driverController = ({
  namespace,
  name,
  labels,
  replicas,
  annotations,
  networks,
  containers,
  volumes,
}: DriverController): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { ...labels, ...availabilityLabels.controller } },
  spec: {
    replicas,
    revisionHistoryLimit: 1,
    selector: { matchLabels: labels },
    strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
    template: {
      metadata: {
        annotations,
        labels: {
          ...labels,
          ...controlPlaneLabels,
          ...networkLabels.toDns,
          ...networkLabels.toPublicNetworks,
          ...networks,
          ...networkLabels.toShootApiServer,
        },
      },
      spec: {
        automountServiceAccountToken: false,
        priorityClassName: 'gardener-system-300',
        containers,
        volumes,
      },
    },
  },
})

/** Returns the volumes with the kubeconfigs of sidecars. Each has its own token. */
export const sidecarKubeconfigs = (
  genericKubeconfig: string,
  names: readonly string[],
): readonly PodVolume[] => names.map(name => kubeconfigVolume(genericKubeconfig, name, `kubeconfig-${name}`))
