import type { V1Deployment } from '@kubernetes/client-node'
import type { Container, PodVolume } from '../../../shared/control-plane/components/components.ts'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import { availabilityLabels, controlPlaneLabels, networkLabels } from '../../../shared/manifests/manifests.ts'
import { kubeconfigVolume } from '../../../shared/shoot/shoot.ts'
import { diskConfigChecksum, type OpenStackRendering } from './rendering.ts'

interface DriverController {
  readonly name: string
  readonly labels: { readonly app: string; readonly role: string }
  readonly containers: readonly Container[]
  readonly volumes: readonly PodVolume[]
}

/** Returns the Deployment in the seed of a CSI driver with its sidecars. */
export const driverController = (
  rendering: OpenStackRendering,
  { name, labels, containers, volumes }: DriverController,
): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: rendering.namespace, labels: { ...labels, ...availabilityLabels.controller } },
  spec: {
    replicas: rendering.replicas,
    revisionHistoryLimit: 1,
    selector: { matchLabels: labels },
    strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
    template: {
      metadata: {
        annotations: diskConfigChecksum(rendering),
        labels: {
          ...labels,
          ...controlPlaneLabels,
          ...networkLabels.toDns,
          ...networkLabels.toPublicNetworks,
          ...networkLabels.toPrivateNetworks,
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
  { genericKubeconfig }: OpenStackRendering,
  names: readonly string[],
): readonly PodVolume[] => names.map(name => kubeconfigVolume(genericKubeconfig, name, `kubeconfig-${name}`))
