import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { cloudPermissions } from '../cloud/cloud.ts'
import { exposureActuator } from './actuator.ts'

/** SelfHostedShootExposures of type `acme`: a load balancer in front of a self-hosted shoot's API server. */
export const definition = defineFunction({
  name: 'acme-selfhostedshootexposure',
  kind: 'SelfHostedShootExposure',
  type: 'acme',
  classes: ['shoot'],
  permissions: cloudPermissions,
  create: () => exposureActuator,
})
