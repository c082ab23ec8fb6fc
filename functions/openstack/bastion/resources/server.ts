import * as z from 'zod'
import type { Clock } from '../../../../shared/clock/clock.ts'
import { classify } from '../../../../shared/contract/classify.ts'
import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Found, FoundStatus, ResourceType } from '../../../../terraform-free-infra/engine/engine.ts'
import {
  type OpenStackAccess,
  openstackClassifiers,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { chooseMachine } from '../machine.ts'
import type { DesiredBastion } from '../request.ts'
import type { BastionLists, ListedServer } from './lists.ts'
import { metadataKey, ownership } from './ownership.ts'
import type { GroupOutcome } from './security-group.ts'

export interface ServerOutcome {
  readonly id: string
  /** Nova's status: `ACTIVE`. */
  readonly status: string
}

export type ServerNeeds = { readonly group: GroupOutcome }
type NoAttributes = Readonly<Record<never, never>>

export const serverKey = 'Server'

/** The machine of the bastion. It stays as it is if user data, image or flavor change. */
export const serverType = (
  desired: DesiredBastion,
  lists: BastionLists,
  clock: Clock,
): ResourceType<OpenStackAccess, NoAttributes, ServerOutcome, ServerNeeds> => {
  const { names, uid, network, userData } = desired
  return {
    what: 'server',
    list: async ({ read, state }) => {
      const servers = await read(lists.servers)
      const mark = ownership(
        servers,
        { uid, recorded: state[serverKey] },
        ({ metadata }) => metadata[metadataKey],
        `servers ${names.base}`,
      )
      return servers.map(server => ({ ...found(server, names.base), ...mark(server) }))
    },
    create: async ({ cloud, signal, needs: { group } }) => {
      const machine = await chooseMachine(cloud, desired, { now: clock.now(), signal })
      const { server } = await cloud.call({
        service: 'compute',
        method: 'POST',
        path: ['servers'],
        body: {
          server: {
            name: names.base,
            ...machine,
            // The id: other groups may have the same name.
            security_groups: [{ name: group.id }],
            networks: [{ uuid: network?.networkId }],
            user_data: userData,
            metadata: { [metadataKey]: uid },
          },
        },
        answer: z.object({ server: z.object({ id: z.string() }) }),
        doing: `creating server ${names.base}`,
        signal,
      })
      return found({ id: server.id, status: 'BUILD' }, names.base)
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      await cloud.call({
        service: 'compute',
        method: 'DELETE',
        path: ['servers', id],
        doing: `deleting server ${names.base} (${id})`,
        signal,
      })
      return 'going'
    },
    doubles: true,
    firstPollMs: 3_000,
    firstGonePollMs: 2_000,
  }
}

const found = (
  {
    id,
    status,
    fault,
    'OS-EXT-STS:task_state': task,
  }: Pick<ListedServer, 'id' | 'status' | 'OS-EXT-STS:task_state' | 'fault'>,
  key: string,
): Found<NoAttributes, ServerOutcome> => ({
  id,
  key,
  // Nova lists a server as active while it deletes it.
  status: task === 'deleting' ? 'deleting' : (statuses[status] ?? 'ready'),
  attributes: {},
  outcome: { id, status },
  ...(status === 'ERROR' && { failure: failureOf(id, fault?.message ?? 'Nova gives no reason') }),
})

/** Nova's statuses of servers that cannot get an address yet or any more. All others exist, running or not. */
const statuses: Readonly<Record<string, FoundStatus>> = {
  BUILD: 'pending',
  ERROR: 'failed',
  DELETED: 'gone',
  SOFT_DELETED: 'deleting',
}

const failureOf = (id: string, said: string): Error => {
  const message = `server ${id} has the status ERROR: ${said}`
  return new CodedError(message, { codes: classify(message, openstackClassifiers) })
}
