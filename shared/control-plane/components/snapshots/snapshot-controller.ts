import type { V1Deployment } from '@kubernetes/client-node'
import type { KubernetesObject, Rendered } from '../../../kubernetes/kubernetes.ts'
import { availabilityLabels, networkLabels, podDisruptionBudget } from '../../../manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../shoot/shoot.ts'
import { type Container, memory, verticalPodAutoscaler } from '../workload.ts'

const name = 'csi-snapshot-controller'
const labels = { app: name, role: 'controller' }

export interface SnapshotController {
  readonly namespace: string
  readonly replicas: number
  readonly image: string
  /** Name of the Secret with the kubeconfig shared by all components. */
  readonly genericKubeconfig: string
  /** Name of the container. */
  readonly container: string
  readonly securityContext: Container['securityContext']
  /** Additional arguments. */
  readonly args?: readonly string[]
}

/**
 * Returns the seed objects of the controller that binds VolumeSnapshots to their contents. It makes no calls to a cloud,
 * so it has no credentials and no checksum of them.
 */
export const snapshotController = (controller: SnapshotController): readonly KubernetesObject[] => [
  podDisruptionBudget(controller.namespace, name, labels),
  deployment(controller),
  verticalPodAutoscaler(controller.namespace, name, [controller.container]),
]

const deployment = ({
  namespace,
  replicas,
  image,
  genericKubeconfig,
  container,
  securityContext,
  args = [],
}: SnapshotController): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { ...labels, ...availabilityLabels.controller } },
  spec: {
    replicas,
    revisionHistoryLimit: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: {
        labels: {
          ...labels,
          ...networkLabels.toDns,
          ...networkLabels.toPublicNetworks,
          ...networkLabels.toShootApiServer,
        },
      },
      spec: {
        automountServiceAccountToken: false,
        priorityClassName: 'gardener-system-200',
        containers: [
          {
            name: container,
            image,
            imagePullPolicy: 'IfNotPresent',
            args: [
              `--kubeconfig=${kubeconfigPath}`,
              '--leader-election=true',
              '--leader-election-namespace=kube-system',
              ...args,
            ],
            ...(securityContext && { securityContext }),
            resources: memory('32Mi'),
            volumeMounts: [kubeconfigMount()],
          },
        ],
        volumes: [kubeconfigVolume(genericKubeconfig, name)],
      },
    },
  },
})
