import * as z from 'zod'
import { type Call, listAll, type OpenStackAccess, type Service } from '../account/openstack.ts'

const text = z
  .string()
  .nullish()
  .transform(value => value ?? '')
const named = { id: z.string(), name: text, description: text }

/** A kind of resources of one service, and the fields of one that are read. */
interface Kind<S extends z.ZodType> {
  readonly noun: string
  readonly service: Service
  readonly collection: string
  /** The member with one resource in requests and answers. */
  readonly member: string
  readonly item: S
}

const kind = <S extends z.ZodType>(
  noun: string,
  service: Service,
  [collection, member]: readonly [collection: string, member: string],
  item: S,
): Kind<S> => ({ noun, service, collection, member, item })

/** Networking API v2.0, Compute API v2.1, Shared File Systems API v2, Load Balancer API v2. */
export const kinds = {
  network: kind(
    'network',
    'network',
    ['networks', 'network'],
    z.object({ ...named, admin_state_up: z.boolean(), 'router:external': z.boolean().optional() }),
  ),
  router: kind(
    'router',
    'network',
    ['routers', 'router'],
    z.object({
      ...named,
      status: z.string(),
      external_gateway_info: z
        .object({
          network_id: z.string(),
          enable_snat: z.boolean().optional(),
          external_fixed_ips: z
            .array(z.object({ subnet_id: z.string().optional(), ip_address: z.string() }))
            .optional(),
        })
        .nullish(),
      routes: z.array(z.object({ destination: z.string(), nexthop: z.string() })).nullish(),
    }),
  ),
  subnet: kind(
    'subnet',
    'network',
    ['subnets', 'subnet'],
    z.object({
      ...named,
      network_id: z.string(),
      cidr: text,
      dns_nameservers: z.array(z.string()).nullish(),
    }),
  ),
  port: kind(
    'port',
    'network',
    ['ports', 'port'],
    z.object({
      ...named,
      status: z.string(),
      device_id: text,
      device_owner: text,
      fixed_ips: z.array(z.object({ subnet_id: z.string() })),
    }),
  ),
  group: kind(
    'security group',
    'network',
    ['security-groups', 'security_group'],
    z.object({
      ...named,
      security_group_rules: z.array(
        z.object({
          direction: z.string(),
          ethertype: z.string(),
          protocol: z.union([z.string(), z.number()]).nullish(),
          port_range_min: z.number().nullish(),
          port_range_max: z.number().nullish(),
          remote_ip_prefix: z.string().nullish(),
          remote_group_id: z.string().nullish(),
          remote_address_group_id: z.string().nullish(),
        }),
      ),
    }),
  ),
  keyPair: kind(
    'key pair',
    'compute',
    ['os-keypairs', 'keypair'],
    z.object({ name: z.string(), public_key: z.string() }),
  ),
  shareNetwork: kind('share network', 'sharev2', ['share-networks', 'share_network'], z.object(named)),
  loadBalancer: kind(
    'load balancer',
    'load-balancer',
    ['loadbalancers', 'loadbalancer'],
    z.object({ ...named, provisioning_status: z.string(), vip_subnet_id: text }),
  ),
} as const

type Kinds = typeof kinds
/** One resource of a kind, as far as it is read. */
export type Item<K extends keyof Kinds> = z.output<Kinds[K]['item']>
type Query = NonNullable<Call['query']>

/** Lists resources of one kind. */
export const listOf = <S extends z.ZodType<{ readonly id: string }>>(
  cloud: OpenStackAccess,
  { noun, service, collection, item }: Kind<S>,
  query: Query,
  signal: AbortSignal,
): Promise<readonly z.output<S>[]> =>
  listAll(cloud, {
    service,
    // Manila's plain list has no descriptions.
    path: service === 'sharev2' ? [collection, 'detail'] : [collection],
    member: collection.replaceAll('-', '_'),
    item,
    idOf: ({ id }) => id,
    query,
    doing: `listing ${noun}s`,
    signal,
  })

const exchange = async <S extends z.ZodType>(
  cloud: OpenStackAccess,
  { service, member, item }: Kind<S>,
  call: Pick<Call, 'method' | 'path' | 'body' | 'doing' | 'signal'>,
): Promise<z.output<S>> => {
  const answer = z.object({ [member]: item })
  const value: Readonly<Record<string, unknown>> = await cloud.call({ ...call, service, answer })
  // The schema has checked the member.
  return value[member] as z.output<S>
}

export const read = <S extends z.ZodType>(
  cloud: OpenStackAccess,
  kind: Kind<S>,
  id: string,
  signal: AbortSignal,
): Promise<z.output<S>> => {
  const path = [kind.collection, id]
  return exchange(cloud, kind, { method: 'GET', path, doing: `reading ${kind.noun} ${id}`, signal })
}

export const create = <S extends z.ZodType>(
  cloud: OpenStackAccess,
  kind: Kind<S>,
  body: { readonly name: string; readonly [field: string]: unknown },
  signal: AbortSignal,
): Promise<z.output<S>> =>
  exchange(cloud, kind, {
    method: 'POST',
    path: [kind.collection],
    body: { [kind.member]: body },
    doing: `creating ${kind.noun} ${body.name}`,
    signal,
  })

/** Changes the given fields of a resource. */
export const change = <S extends z.ZodType>(
  cloud: OpenStackAccess,
  kind: Kind<S>,
  [id, body]: readonly [id: string, body: object],
  signal: AbortSignal,
): Promise<z.output<S>> =>
  exchange(cloud, kind, {
    method: 'PUT',
    path: [kind.collection, id],
    body: { [kind.member]: body },
    doing: `updating ${kind.noun} ${id}`,
    signal,
  })

/** Returns the `remove` of a resource type whose ids are those of the kind. */
export const removing =
  ({ noun, service, collection }: Kind<z.ZodType>, query?: Query) =>
  async (call: {
    readonly cloud: OpenStackAccess
    readonly found: { readonly id: string }
    readonly signal: AbortSignal
  }): Promise<'gone'> => {
    const { id } = call.found
    await call.cloud.call({
      service,
      method: 'DELETE',
      path: [collection, id],
      ...(query && { query }),
      doing: `deleting ${noun} ${id}`,
      signal: call.signal,
    })
    return 'gone'
  }
