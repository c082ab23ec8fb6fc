import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  connectionOf,
  type OpenStackConnection,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { designateActuator } from './actuator.ts'

/**
 * DNSRecords of type `openstack-designate`, in every class: gardenlet creates them for shoots and seeds, the operator
 * for gardens.
 */
export const definition = defineFunction({
  name: 'openstack-dnsrecord',
  kind: 'DNSRecord',
  type: 'openstack-designate',
  classes: ['shoot', 'seed', 'garden'],
  permissions: [],
  service: {
    reaches: ['public-networks', 'private-networks'],
    maxScale: {
      value: 2,
      why: 'A record costs two or three short calls, and Designate limits the calls of a project.',
    },
    concurrency: {
      value: 32,
      why: 'Steps wait for Designate most of the time. A step sends one request at a time, and a process 32 per host.',
    },
  },
  create: (_, deps: FunctionDeps<OpenStackConnection>) =>
    designateActuator({ connection: connectionOf(deps), clock: deps.clock }),
})
