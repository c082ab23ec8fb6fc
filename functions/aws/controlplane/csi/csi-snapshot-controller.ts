import type { V1Deployment } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  availabilityLabels,
  networkLabels,
  podDisruptionBudget,
} from '../../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../../shared/shoot/shoot.ts'

import type { Component, Rendering } from '../objects/workload.ts'
import { memory, verticalPodAutoscaler } from '../objects/workload.ts'

const name = 'csi-snapshot-controller'
const labels = { app: name, role: 'controller' }

/**
 * Binds VolumeSnapshots to their contents. It makes no calls to a cloud, so it has no credentials and no checksum of
 * them.
 */
export const csiSnapshotController: Component = {
  seed: rendering => [
    podDisruptionBudget(rendering.namespace, name, labels),
    deployment(rendering),
    verticalPodAutoscaler(rendering.namespace, name, [`aws-${name}`]),
  ],
}

const deployment = ({
  namespace,
  replicas,
  image,
  genericKubeconfig,
}: Rendering): Rendered<V1Deployment> => ({
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
            name: `aws-${name}`,
            image: image(name),
            imagePullPolicy: 'IfNotPresent',
            args: [
              `--kubeconfig=${kubeconfigPath}`,
              '--leader-election=true',
              '--leader-election-namespace=kube-system',
            ],
            securityContext: { allowPrivilegeEscalation: false },
            resources: memory('32Mi'),
            volumeMounts: [kubeconfigMount()],
          },
        ],
        volumes: [kubeconfigVolume(genericKubeconfig, name)],
      },
    },
  },
})
