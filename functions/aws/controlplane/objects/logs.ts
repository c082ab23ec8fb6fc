import type { FunctionLogs } from '../../../../shared/runtime/runtime.ts'
import { loadBalancerControllerName } from '../load-balancer-controller/names.ts'

/** The log lines of the components in the seed (docs/contract/observing.md#fluent-bit). */
export const controlPlaneLogs: readonly FunctionLogs[] = [
  { pod: 'cloud-controller-manager', container: 'aws-cloud-controller-manager', format: 'klog' },
  { pod: 'csi-driver-controller', container: 'aws-csi', format: 'klog' },
  { pod: 'csi-snapshot-controller', container: 'aws-csi', format: 'klog' },
  { pod: loadBalancerControllerName, container: loadBalancerControllerName, format: 'json' },
]
