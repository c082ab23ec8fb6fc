/** Objects that the components of any cloud's control plane have alike, and the values of a shoot they depend on. */

export { calicoShootCleanUp } from './calico/calico-clean-up.ts'
export { type AdmissionPolicyVersion, admissionPolicyVersion, calicoPolicy } from './calico/calico-policy.ts'
export { withoutCalicoConditions } from './calico/network-unavailable.ts'
export {
  aroundCloudController,
  cloudControllerDeployment,
  cloudControllerFlags,
  cloudControllerName,
  featureGatesFlag,
} from './cloud-controller.ts'
export {
  type DriverSidecar,
  driverController,
  driverSocket,
  sidecarContainer,
  sidecarKubeconfigs,
} from './driver-controller.ts'
export { driverRoles, leaderRoles } from './leader-roles.ts'
export { serviceMonitor } from './monitoring.ts'
export {
  csiDriver,
  driverProbe,
  nodeDriver,
  nodeDriverMounts,
  nodeDriverVolumes,
  registrar,
} from './node-driver.ts'
export { metricsService, portAnnotation } from './services.ts'
export {
  isAtLeast,
  type KubernetesVersion,
  type PodNetworking,
  readNetworking,
  readVersion,
  refuseExposure,
  usersProblem,
  withProblem,
} from './shoot-values.ts'
export { snapshotController } from './snapshots/snapshot-controller.ts'
export { volumeSnapshotCrds } from './snapshots/volume-snapshot-crds.ts'
export { hostVolume, type Mount, type PodVolume } from './volumes.ts'
export { type Container, memory, type VerticalPodAutoscaler, verticalPodAutoscaler } from './workload.ts'
