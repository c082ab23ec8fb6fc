import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { createProviderClusters, type LocalConnection } from '../provider/local.ts'
import { infrastructureActuator } from './actuator.ts'

/**
 * Infrastructures of type `local`: the namespace of a shoot in the provider cluster, and the network policies of its
 * machines.
 */
export const definition = defineFunction({
  name: 'local-infrastructure',
  kind: 'Infrastructure',
  type: 'local',
  create: (_, { clock, connection = {} }: FunctionDeps<LocalConnection>) =>
    infrastructureActuator(createProviderClusters(connection, clock)),
})
