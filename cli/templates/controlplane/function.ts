import { controlPlanePermissions } from '../../../shared/control-plane/control-plane.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { createControlPlaneActuator } from './actuator.ts'

/** ControlPlanes of type `acme`: the cloud's components in the control plane of a shoot. */
export const definition = defineFunction({
  name: 'acme-controlplane',
  kind: 'ControlPlane',
  type: 'acme',
  classes: ['shoot'],
  permissions: controlPlanePermissions,
  create: () => createControlPlaneActuator(),
})
