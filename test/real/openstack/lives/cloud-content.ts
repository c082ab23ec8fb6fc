import { type PlainSession, plain } from '../cloud/rest.ts'
import type { RunningCloud } from '../cloud/start-cloud.ts'

/** A resource as its service shows it. */
// biome-ignore lint/suspicious/noExplicitAny: resources have many shapes, and suites read them as they want
export type CloudResource = Readonly<Record<string, any>>

/** Everything in a project that an Infrastructure may make or meet, without the default security group. */
export interface CloudContent {
  readonly networks: readonly CloudResource[]
  readonly subnets: readonly CloudResource[]
  readonly routers: readonly CloudResource[]
  readonly ports: readonly CloudResource[]
  readonly security_groups: readonly CloudResource[]
  readonly keypairs: readonly CloudResource[]
  readonly loadbalancers: readonly CloudResource[]
}

/** Reads the content of a project without our client. */
export const contentOf = async (
  cloud: RunningCloud,
  { token, projectId }: PlainSession,
): Promise<CloudContent> => {
  const list = async (service: 'network' | 'compute' | 'load-balancer', path: string, member: string) => {
    const { json } = await plain('GET', `${cloud.url(service)}${path}`, { token })
    return json[member] as CloudResource[]
  }
  const network = (kind: string) =>
    list('network', `/v2.0/${kind.replaceAll('_', '-')}?project_id=${projectId}`, kind)
  const keypairs = await list('compute', '/v2.1/os-keypairs', 'keypairs')
  return {
    networks: await network('networks'),
    subnets: await network('subnets'),
    routers: await network('routers'),
    ports: await network('ports'),
    security_groups: (await network('security_groups')).filter(({ name }) => name !== 'default'),
    keypairs: keypairs.map(({ keypair }) => keypair),
    loadbalancers: await list('load-balancer', '/v2/lbaas/loadbalancers', 'loadbalancers'),
  }
}

/** The names of what has some content: what is left after a deletion. */
export const namesIn = (content: CloudContent): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(content)
      .map(([kind, list]) => [kind, list.map(({ name }: CloudResource) => String(name)).toSorted()] as const)
      .filter(([, names]) => names.length > 0),
  )

/** The resources that operators offer, by the roles of the recordings. */
export const offeredRoles = async (
  cloud: RunningCloud,
  token: string,
): Promise<ReadonlyMap<string, string>> => {
  const get = async (path: string) =>
    (await plain('GET', `${cloud.url('network')}/v2.0/${path}`, { token })).json
  const roles = new Map<string, string>()
  for (const { id, name, subnets } of (await get('networks?router:external=true')).networks) {
    roles.set(id, `<network ${name}>`)
    for (const subnet of subnets)
      roles.set(subnet, `<subnet ${(await get(`subnets/${subnet}`)).subnet.name}>`)
  }
  for (const { id, name } of (await get('subnetpools')).subnetpools)
    roles.set(id, `<subnet pool ${name.replace('pool', '')}>`)
  return roles
}

/** Replaces ids and addresses in any value by roles, as the recordings have them. */
export type ByRole = <T>(value: T) => T

export const byRoleIn = (
  content: CloudContent,
  offered: ReadonlyMap<string, string>,
  projectId: string,
): ByRole => {
  const roles = new Map(offered)
  roles.set(projectId, '<project>')
  const kinds = {
    networks: 'network',
    subnets: 'subnet',
    routers: 'router',
    security_groups: 'security group',
  } as const
  for (const [member, kind] of Object.entries(kinds))
    for (const { id, name } of content[member as keyof typeof kinds]) roles.set(id, `<${kind} ${name}>`)
  for (const { name, external_gateway_info: gateway } of content.routers)
    for (const [index, { ip_address, subnet_id }] of (gateway?.external_fixed_ips ?? []).entries())
      roles.set(ip_address, `<ip of router ${name}${index === 0 ? '' : ` ${roles.get(subnet_id)}`}>`)
  // The longest first: an address may begin another one.
  const sorted = [...roles].toSorted(([one], [other]) => other.length - one.length)
  return value => {
    let text = JSON.stringify(value)
    for (const [id, role] of sorted) text = text.replaceAll(id, role)
    return JSON.parse(withoutAllocations(text))
  }
}

/**
 * Subnets get prefixes of the pool in the sequence of their creation, and routers the first of several subnets in the
 * sequence of their random ids.
 */
export const withoutAllocations = (text: string): string =>
  text.replace(/2001:db8:1:[0-9a-f:]*/g, '<from v6pool>').replace(/<subnet fip-[ab]>/g, '<subnet fip-*>')

/** Where the recordings have other values for reasons of the place and the time. */
const volatileFields: Readonly<Partial<Record<keyof CloudContent, readonly string[]>>> = {
  ports: ['id'],
  // Trellis marks what it makes (docs/openstack.md#proof-of-ownership).
  networks: ['description'],
  subnets: ['description'],
  routers: ['description'],
}

/** Brings recorded and present content to one form: sorted, without marks and ids that have no role. */
export const comparableContent = (content: Partial<CloudContent>): Partial<CloudContent> => {
  const text = withoutAllocations(JSON.stringify(content)).replace(
    / ?trellis\.gardener\.cloud\/created-for=[\w-]+/g,
    '',
  )
  const read: Partial<Record<keyof CloudContent, CloudResource[]>> = JSON.parse(text)
  return Object.fromEntries(
    Object.entries(read)
      .filter(([, list]) => list.length > 0)
      .map(([kind, list]) => {
        const dropped = volatileFields[kind as keyof CloudContent] ?? []
        const items = list.map(({ security_group_rules: rules, subnets, ...item }) => ({
          ...Object.fromEntries(Object.entries(item).filter(([field]) => !dropped.includes(field))),
          ...(subnets && { subnets: subnets.toSorted() }),
          ...(rules && { security_group_rules: rules.map(withoutRuleId).toSorted(byText) }),
        }))
        return [kind, items.toSorted(byText)]
      }),
  )
}

/** `normalized_cidr` and others came later; the number of a rule counts all that a server ever made. */
const withoutRuleId = ({ id: _, standard_attr_id: __, ...rule }: CloudResource): CloudResource => rule

const sortKey = (item: CloudResource): string =>
  JSON.stringify([
    item.name,
    item.direction,
    item.ethertype,
    item.protocol,
    item.remote_group_id,
    item.fixed_ips,
  ])
const byText = (one: CloudResource, other: CloudResource): number => (sortKey(one) < sortKey(other) ? -1 : 1)
