import { volumeSnapshotCrds } from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import loadBalancerControllerCrds from './load-balancer-controller.json' with { type: 'json' }

/**
 * The kinds that components read and write in the shoot. Those of the load balancer controller are the texts of
 * kubernetes-sigs/aws-load-balancer-controller (controller-gen v0.19.0), as shipped with Gardener's extension for AWS
 * v1.74, under the Apache License 2.0.
 */
export const crds = ({
  hasLoadBalancerController,
}: {
  readonly hasLoadBalancerController: boolean
}): readonly KubernetesObject[] => [
  ...(hasLoadBalancerController ? loadBalancerControllerCrds : []),
  ...volumeSnapshotCrds,
]
