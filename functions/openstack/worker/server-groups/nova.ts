import * as z from 'zod'
import {
  isNotFound,
  type OpenStackAccess,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'

const groupSchema = z.object({
  id: z.string(),
  name: z.string(),
  policies: z.array(z.string()).default([]),
  members: z.array(z.string()).default([]),
})
/** A server group, as Nova has it up to microversion 2.63: later ones have `policy` in place of `policies`. */
export type ServerGroup = Readonly<z.output<typeof groupSchema>>

const one = z.object({ server_group: groupSchema })
const many = z.object({ server_groups: z.array(groupSchema) })
const path = ['os-server-groups'] as const

/** Returns undefined if it does not exist. */
export const getServerGroup = async (
  access: OpenStackAccess,
  id: string,
): Promise<ServerGroup | undefined> => {
  try {
    const doing = `reading server group ${id}`
    return (await access.call({ service: 'compute', method: 'GET', path: [...path, id], answer: one, doing }))
      .server_group
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Nova answers at most `max_limit` groups, 1000 by default, and no link to others. A shorter page is the last one. */
const shortestFullPage = 100

/** Returns all server groups of the project. */
export const listServerGroups = async (access: OpenStackAccess): Promise<readonly ServerGroup[]> => {
  const groups = new Map<string, ServerGroup>()
  for (let offset = 0; ; ) {
    const { server_groups: page } = await access.call({
      service: 'compute',
      method: 'GET',
      path,
      ...(offset > 0 && { query: { offset } }),
      answer: many,
      doing: 'listing server groups',
    })
    const before = groups.size
    for (const group of page) groups.set(group.id, group)
    offset += page.length
    if (page.length < shortestFullPage || groups.size === before) return [...groups.values()]
  }
}

/** Policies that Nova has in each microversion. Others need 2.15. */
const firstPolicies: ReadonlySet<string> = new Set(['affinity', 'anti-affinity'])

/** Creates a server group. Names are not unique: after a lost answer, look for it by its name first. */
export const createServerGroup = async (
  access: OpenStackAccess,
  { name, policy, pool }: { readonly name: string; readonly policy: string; readonly pool: string },
): Promise<ServerGroup> => {
  const { server_group: group } = await access.call({
    service: 'compute',
    method: 'POST',
    path,
    body: { server_group: { name, policies: [policy] } },
    ...(!firstPolicies.has(policy) && {
      headers: { 'openstack-api-version': 'compute 2.15', 'x-openstack-nova-api-version': '2.15' },
    }),
    answer: one,
    doing: `creating server group ${name} with policy ${policy} for pool ${pool}`,
  })
  return group
}

/** A group that is gone is no error. */
export const deleteServerGroup = async (
  access: OpenStackAccess,
  { id, name }: Pick<ServerGroup, 'id' | 'name'>,
): Promise<void> => {
  try {
    const doing = `deleting server group ${name}`
    await access.call({ service: 'compute', method: 'DELETE', path: [...path, id], doing })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
