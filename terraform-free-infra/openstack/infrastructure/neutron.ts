import * as z from 'zod'
import { type Call, listAll, type OpenStackAccess } from '../account/openstack.ts'

const description = z
  .string()
  .nullish()
  .transform(value => value ?? '')
const named = { id: z.string(), name: description, description }

/** Networks, as far as they are read (Networking API v2.0, "Networks"). */
export const networkSchema = z.object({
  ...named,
  admin_state_up: z.boolean(),
  'router:external': z.boolean().optional(),
})
export type Network = z.output<typeof networkSchema>

const gatewaySchema = z.object({
  network_id: z.string(),
  enable_snat: z.boolean().optional(),
  external_fixed_ips: z
    .array(z.object({ subnet_id: z.string().optional(), ip_address: z.string() }))
    .optional(),
})

/** Routers. `null` for the gateway: it has none. */
export const routerSchema = z.object({
  ...named,
  status: z.string(),
  external_gateway_info: gatewaySchema.nullish(),
  routes: z.array(z.object({ destination: z.string(), nexthop: z.string() })).nullish(),
})
export type Router = z.output<typeof routerSchema>

export const externalAddressesOf = ({ external_gateway_info }: Router): readonly string[] =>
  (external_gateway_info?.external_fixed_ips ?? []).map(({ ip_address }) => ip_address)

export const subnetSchema = z.object({
  ...named,
  network_id: z.string(),
  cidr: description,
  dns_nameservers: z.array(z.string()).nullish(),
})
export type Subnet = z.output<typeof subnetSchema>

export const portSchema = z.object({
  id: z.string(),
  name: description,
  status: z.string(),
  device_id: description,
  device_owner: description,
  fixed_ips: z.array(z.object({ subnet_id: z.string(), ip_address: z.string() })),
})
export type Port = z.output<typeof portSchema>

const ruleSchema = z.object({
  direction: z.string(),
  ethertype: z.string(),
  protocol: z.union([z.string(), z.number()]).nullish(),
  port_range_min: z.number().nullish(),
  port_range_max: z.number().nullish(),
  remote_ip_prefix: z.string().nullish(),
  remote_group_id: z.string().nullish(),
  remote_address_group_id: z.string().nullish(),
})
export type SecurityGroupRule = z.output<typeof ruleSchema>

export const securityGroupSchema = z.object({ ...named, security_group_rules: z.array(ruleSchema) })
export type SecurityGroup = z.output<typeof securityGroupSchema>

interface ListNeutron<S extends z.ZodType<{ readonly id: string }>> {
  /** The collection: `networks`. */
  readonly path: string
  readonly item: S
  readonly query: NonNullable<Call['query']>
  readonly signal: AbortSignal
}

/** Lists one kind of Neutron's resources. Names with a hyphen in the path have an underscore in the answer. */
export const listNeutron = <S extends z.ZodType<{ readonly id: string }>>(
  access: OpenStackAccess,
  { path, item, query, signal }: ListNeutron<S>,
): Promise<readonly z.output<S>[]> =>
  listAll(access, {
    service: 'network',
    path: [path],
    member: path.replaceAll('-', '_'),
    item,
    idOf: ({ id }) => id,
    query,
    doing: `listing ${path.replaceAll('-', ' ')}`,
    signal,
  })

interface WriteNeutron<S extends z.ZodType> {
  readonly path: readonly string[]
  /** The member of request and answer: `network`. */
  readonly member: string
  readonly item: S
  readonly body: object
  readonly doing: string
  readonly signal: AbortSignal
}

/** Creates a resource with POST, or changes the given fields of one with PUT. Returns it. */
export const writeNeutron = async <S extends z.ZodType>(
  access: OpenStackAccess,
  method: 'POST' | 'PUT',
  { path, member, item, body, doing, signal }: WriteNeutron<S>,
): Promise<z.output<S>> => {
  const answer = z.object({ [member]: item })
  const value: Readonly<Record<string, unknown>> = await access.call({
    service: 'network',
    method,
    path,
    body: { [member]: body },
    answer,
    doing,
    signal,
  })
  // The schema has checked the member.
  return value[member] as z.output<S>
}

export const deleteNeutron = async (
  access: OpenStackAccess,
  path: readonly [collection: string, id: string],
  signal: AbortSignal,
): Promise<'gone'> => {
  const doing = `deleting ${path[0].replaceAll('-', ' ').replace(/s$/, '')} ${path[1]}`
  await access.call({ service: 'network', method: 'DELETE', path, doing, signal })
  return 'gone'
}
