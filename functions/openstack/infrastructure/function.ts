import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  connectionOf,
  type OpenStackConnection,
  waitSettings,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { infrastructureActuator } from './actuator.ts'

/** Infrastructures of type `openstack`. */
export const definition = defineFunction({
  name: 'openstack-infrastructure',
  kind: 'Infrastructure',
  type: 'openstack',
  classes: ['shoot'],
  settings: waitSettings,
  permissions: [],
  service: {
    reaches: ['public-networks', 'private-networks'],
    maxScale: {
      value: 3,
      why: 'A cloud has few API servers: more processes for the same project would only queue there.',
    },
    concurrency: {
      value: 32,
      why: 'A step holds the answers of OpenStack in memory: more parallel steps use more memory and end no sooner.',
    },
  },
  create: ({ waitScale }, deps: FunctionDeps<OpenStackConnection>) =>
    infrastructureActuator({ connection: connectionOf(deps), clock: deps.clock, waitScale }),
})
