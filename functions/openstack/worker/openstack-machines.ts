import type { Clock } from '../../../shared/clock/clock.ts'
import type { MachineProvider } from '../../../shared/worker/worker.ts'
import {
  createAccess,
  type OpenStackConnection,
  openstackClassifiers,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { desiredMachines } from './machines/machines.ts'
import { serverGroups } from './server-groups/server-groups.ts'

/** The OpenStack machines of a Worker. Error texts of the machine controller come from OpenStack. */
export const openstackMachines = (connection: OpenStackConnection, clock: Clock): MachineProvider => ({
  classifiers: openstackClassifiers,
  stableText: withoutRequestIds,
  desired: desiredMachines,
  dependencies: serverGroups(createAccess(connection, clock)),
})

/** Nova and Neutron repeat the id of the request in some texts. */
export const withoutRequestIds = (text: string): string =>
  text.replace(/ ?\(?(?:Request-ID: )?req-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\)?/g, '')
