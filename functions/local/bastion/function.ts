import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { createProviderClusters, type LocalConnection } from '../provider/local.ts'
import { bastionActuator } from './actuator.ts'

/** Bastions of type `local`: a pod in the provider cluster behind a load balancer. */
export const definition = defineFunction({
  name: 'local-bastion',
  kind: 'Bastion',
  type: 'local',
  permissions: [
    {
      resource: secrets,
      verbs: ['get'],
      why: 'A Bastion has no Secret reference: it uses the Secret of its shoot.',
    },
  ],
  create: (_, { clock, connection = {} }: FunctionDeps<LocalConnection>) =>
    bastionActuator(createProviderClusters(connection, clock)),
})
