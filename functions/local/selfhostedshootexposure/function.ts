import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { createProviderClusters, type LocalConnection } from '../provider/local.ts'
import { exposureActuator } from './actuator.ts'

/** SelfHostedShootExposures of type `local`: a load balancer in the provider cluster. */
export const definition = defineFunction({
  name: 'local-selfhostedshootexposure',
  kind: 'SelfHostedShootExposure',
  type: 'local',
  registration: { continuousEndpointUpdate: true },
  permissions: [
    { resource: secrets, verbs: ['get'], why: 'An exposure refers to its Secret in `spec.credentialsRef`.' },
  ],
  create: (_, { clock, connection = {} }: FunctionDeps<LocalConnection>) =>
    exposureActuator(createProviderClusters(connection, clock)),
})
