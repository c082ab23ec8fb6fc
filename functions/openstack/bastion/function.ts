import { kinds } from '../../../shared/contract/kinds.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  connectionOf,
  type OpenStackConnection,
  waitSettings,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { bastionActuator } from './actuator.ts'

/** Bastions of type `openstack`. */
export const definition = defineFunction({
  name: 'openstack-bastion',
  kind: 'Bastion',
  type: 'openstack',
  classes: ['shoot'],
  settings: waitSettings,
  permissions: [
    {
      resource: secrets,
      verbs: ['get'],
      why: 'A Bastion has no Secret reference: it uses the Secret of its shoot.',
    },
    {
      resource: kinds.Infrastructure.resource,
      verbs: ['get'],
      why: 'Its status contains the network of the shoot.',
    },
    {
      resource: kinds.Worker.resource,
      verbs: ['get'],
      why: "Its spec contains the network of the shoot if the Infrastructure's status does not.",
    },
  ],
  service: {
    reaches: ['public-networks', 'private-networks'],
    maxScale: {
      value: 2,
      why: 'Bastions are few and live for hours; OpenStack limits requests per project.',
    },
    concurrency: { value: 100, why: 'Steps wait for OpenStack and the API server most of the time.' },
  },
  create: ({ waitScale }, deps: FunctionDeps<OpenStackConnection>) =>
    bastionActuator({ connection: connectionOf(deps), clock: deps.clock, waitScale }),
})
