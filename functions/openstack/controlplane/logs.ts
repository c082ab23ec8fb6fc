import type { FunctionLogs } from '../../../shared/runtime/runtime.ts'

/** The log lines of the components in the seed (docs/contract/observing.md#fluent-bit). */
export const controlPlaneLogs: readonly FunctionLogs[] = [
  { pod: 'cloud-controller-manager', container: 'openstack-cloud-controller-manager', format: 'klog' },
  { pod: 'csi-driver-controller', container: 'openstack-csi', format: 'klog' },
  { pod: 'csi-driver-manila-controller', container: 'openstack-csi', format: 'klog' },
  { pod: 'csi-snapshot-controller', container: 'openstack-csi', format: 'klog' },
]
