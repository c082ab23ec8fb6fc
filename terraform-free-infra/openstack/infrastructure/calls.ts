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
  /** The path, whose singular is the member with one resource in requests and answers. */
  readonly collection: string
  readonly item: S
}

const kind = <S extends z.ZodType>(noun: string, service: Service, collection: string, item: S): Kind<S> => ({
  noun,
  service,
  collection,
  item,
})

const network = z.object({ ...named, admin_state_up: z.boolean(), 'router:external': z.boolean().optional() })
const address = z.object({ subnet_id: z.string().optional(), ip_address: z.string() })
const gateway = z.object({
  network_id: z.string(),
  enable_snat: z.boolean().optional(),
  external_fixed_ips: z.array(address).optional(),
})
const route = z.object({ destination: z.string(), nexthop: z.string() })
const router = z.object({
  ...named,
  status: z.string(),
  external_gateway_info: gateway.nullish(),
  routes: z.array(route).nullish(),
})
const subnet = z.object({
  ...named,
  network_id: z.string(),
  cidr: text,
  dns_nameservers: z.array(z.string()).nullish(),
})
const port = z.object({
  ...named,
  status: z.string(),
  device_id: text,
  device_owner: text,
  fixed_ips: z.array(z.object({ subnet_id: z.string() })),
})
const rule = z.object({
  direction: z.string(),
  ethertype: z.string(),
  protocol: z.union([z.string(), z.number()]).nullish(),
  port_range_min: z.number().nullish(),
  port_range_max: z.number().nullish(),
  remote_ip_prefix: z.string().nullish(),
  remote_group_id: z.string().nullish(),
  remote_address_group_id: z.string().nullish(),
})
const group = z.object({ ...named, security_group_rules: z.array(rule) })
const keyPair = z.object({ name: z.string(), public_key: z.string() })
const loadBalancer = z.object({ ...named, provisioning_status: z.string(), vip_subnet_id: text })

/** Networking API v2.0, Compute API v2.1, Shared File Systems API v2, Load Balancer API v2. */
export const kinds = {
  network: kind('network', 'network', 'networks', network),
  router: kind('router', 'network', 'routers', router),
  subnet: kind('subnet', 'network', 'subnets', subnet),
  port: kind('port', 'network', 'ports', port),
  group: kind('security group', 'network', 'security-groups', group),
  keyPair: kind('key pair', 'compute', 'os-keypairs', keyPair),
  shareNetwork: kind('share network', 'sharev2', 'share-networks', z.object(named)),
  loadBalancer: kind('load balancer', 'load-balancer', 'loadbalancers', loadBalancer),
} as const

type Kinds = typeof kinds
/** One resource of a kind, as far as it is read. */
export type Item<K extends keyof Kinds> = z.output<Kinds[K]['item']>
type Filters = NonNullable<Call['query']>

/** Lists resources of one kind. */
export const listOf = <S extends z.ZodType<{ readonly id: string }>>(
  cloud: OpenStackAccess,
  { noun, service, collection, item }: Kind<S>,
  query: Filters,
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

/** One resource. Without an id it is created, without a body it is read, with both it is changed. */
interface Subject {
  readonly id?: string
  readonly body?: { readonly name?: string; readonly [field: string]: unknown }
}

/** Reads, creates or changes a resource. Returns it. */
export const exchange = async <S extends z.ZodType>(
  cloud: OpenStackAccess,
  { noun, service, collection, item }: Kind<S>,
  { id, body }: Subject,
  signal: AbortSignal,
): Promise<z.output<S>> => {
  const member = collection.replace(/^os-|s$/g, '').replaceAll('-', '_')
  const [method, verb] = body === undefined ? readVerb : id === undefined ? createVerb : changeVerb
  const value: Readonly<Record<string, unknown>> = await cloud.call({
    service,
    method,
    path: id === undefined ? [collection] : [collection, id],
    ...(body && { body: { [member]: body } }),
    answer: z.object({ [member]: item }),
    doing: `${verb} ${noun} ${id ?? body?.name}`,
    signal,
  })
  // The schema has checked the member.
  return value[member] as z.output<S>
}

const readVerb = ['GET', 'reading'] as const
const createVerb = ['POST', 'creating'] as const
const changeVerb = ['PUT', 'updating'] as const

/** Returns the `remove` of a resource type whose ids are those of the kind. */
export const removing =
  ({ noun, service, collection }: Kind<z.ZodType>, query?: Filters) =>
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
