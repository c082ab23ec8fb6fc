/** The exports for functions of ControlPlanes; described in docs/control-plane.md. */
export {
  type ControlPlaneFacts,
  type ControlPlaneFlowOptions,
  type ControlPlaneProvider,
  checksum,
  controlPlaneFlow,
  controlPlanePermissions,
  type DesiredControlPlane,
  type OpenedShoot,
  type OpenShoot,
  type RenderingInput,
  type ResourceName,
  resourceNames,
  type ShootCleanUp,
  type ShootKubernetes,
  type UsableSecrets,
} from '../../shared/control-plane/control-plane.ts'
