import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import loadBalancerControllerCrds from './load-balancer-controller.json' with { type: 'json' }
import volumeSnapshotCrds from './volume-snapshots.json' with { type: 'json' }

/**
 * The kinds that components read and write in the shoot. The texts are those of their projects, as shipped with
 * Gardener's extension for AWS v1.74, both under the Apache License 2.0: kubernetes-csi/external-snapshotter
 * (controller-gen v0.15.0) and kubernetes-sigs/aws-load-balancer-controller (controller-gen v0.19.0).
 */
export const crds = ({
  hasLoadBalancerController,
}: {
  readonly hasLoadBalancerController: boolean
}): readonly KubernetesObject[] => [
  ...(hasLoadBalancerController ? loadBalancerControllerCrds : []),
  ...volumeSnapshotCrds,
]
