import * as z from 'zod'
import type { Observation } from '../../../../terraform-free-infra/engine/engine.ts'
import {
  type ListCall,
  listAll,
  type OpenStackAccess,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import type { BastionNames } from '../request.ts'

export const ruleSchema = z.object({
  id: z.string(),
  direction: z.string(),
  ethertype: z.string(),
  protocol: z.string().nullish(),
  port_range_min: z.int().nullish(),
  port_range_max: z.int().nullish(),
  remote_ip_prefix: z.string().nullish(),
  remote_group_id: z.string().nullish(),
})
export type ListedRule = z.output<typeof ruleSchema>

export const groupSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  security_group_rules: z.array(ruleSchema),
})

const serverSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  metadata: z.record(z.string(), z.string()),
  'OS-EXT-STS:task_state': z.string().nullish(),
  fault: z.object({ message: z.string() }).nullish(),
})
export type ListedServer = z.output<typeof serverSchema>

export const addressSchema = z.object({
  id: z.string(),
  description: z.string().nullish(),
  status: z.string(),
  floating_ip_address: z.string(),
  port_id: z.string().nullish(),
  /** Absent without Neutron's extension `fip-port-details`. */
  port_details: z.object({ device_id: z.string() }).nullish(),
})
export type ListedAddress = z.output<typeof addressSchema>

/** The lists of a step. Filters of services may be patterns, so each list is filtered again. */
export const bastionLists = ({ base, group }: BastionNames) => ({
  groups: observation(
    { service: 'network', path: ['security-groups'], query: { name: group }, item: groupSchema },
    ({ name }) => name === group,
  ),
  servers: observation(
    {
      service: 'compute',
      path: ['servers', 'detail'],
      // Nova reads the name as a regular expression.
      query: { name: `^${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` },
      item: serverSchema,
    },
    ({ name }) => name === base,
  ),
  addresses: observation(
    { service: 'network', path: ['floatingips'], query: { description: base }, item: addressSchema },
    ({ description }) => description === base,
  ),
})
export type BastionLists = ReturnType<typeof bastionLists>

const observation = <S extends z.ZodType<{ readonly id: string }>>(
  list: Pick<ListCall<S>, 'service' | 'path' | 'query' | 'item'>,
  isIt: (item: z.output<S>) => boolean,
): Observation<OpenStackAccess, readonly z.output<S>[]> => {
  const [name = ''] = list.path
  return {
    name,
    observe: async ({ cloud, signal }) =>
      (await listItems(cloud, { ...list, member: name.replaceAll('-', '_'), signal })).filter(isIt),
  }
}

/** Returns all items of a list, which are identified by their ids. */
export const listItems = <S extends z.ZodType<{ readonly id: string }>>(
  cloud: OpenStackAccess,
  list: Omit<ListCall<S>, 'idOf' | 'doing'>,
): Promise<readonly z.output<S>[]> =>
  listAll(cloud, { ...list, idOf: ({ id }) => id, doing: `listing ${list.member}` })
