import type { Clock } from '../../../../shared/clock/clock.ts'
import type { RandomCloud } from '../../../simulation/random/random.ts'
import type { CloudItem, ItemKind, QuotaName, SimulatedOpenStack } from '../simulator/openstack.ts'
import { refusedAnswer } from './connect-rest.ts'
import { wholeShoot } from './whole-shoot.ts'

type Accident = RandomCloud['accidents'][string]

const chosen = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(list.length, 1)]

const name = wholeShoot.status.technicalID
const mark = /created-for=(?!uid-of-a-namesake)/

/** Returns true for resources of our shoots, and not for those of a shoot with the same name. */
const isOfShoot = (item: CloudItem): boolean =>
  String(item.name).startsWith(name) && mark.test(String(item.description))

const collections = [
  'networks',
  'subnets',
  'routers',
  'ports',
  'security-groups',
  'security-group-rules',
  'floatingips',
  'os-keypairs',
  'servers',
  'os-server-groups',
  'recordsets',
] as const
const readById = ['networks', 'subnets', 'routers', 'ports', 'os-keypairs', 'os-server-groups'] as const
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
const statuses = [403, 409, 429, 500, 503] as const
const minuteMs = 60_000
const durations = [10_000, minuteMs, 5 * minuteMs, 15 * minuteMs]

/** A read may not find a resource as long as database servers copy each other, in ms. */
const hiddenMs = 20_000

/** The usual quotas of the simulated cloud. */
const quotas: readonly (readonly [QuotaName, number])[] = [
  ['network', 100],
  ['subnet', 100],
  ['router', 50],
  ['port', 500],
  ['security_group', 100],
  ['security_group_rule', 1_000],
  ['floatingip', 50],
  ['key_pairs', 100],
  ['server_groups', 50],
  ['instances', 100],
]

/** People in the project of the shoots, and moods of the cloud, by what they do. */
export const openstackAccidents = (
  openstack: SimulatedOpenStack,
  clock: Clock,
): Readonly<Record<(typeof openstackAccidentNames)[number], Accident>> => {
  const { resources, remove, put, faults, setQuota } = openstack

  const ours = <K extends ItemKind>(kind: K) => resources(kind).filter(isOfShoot)
  const removeOne =
    (kind: ItemKind, all: () => readonly CloudItem[]): Accident =>
    async pick => {
      const one = chosen(all(), pick)
      if (one === undefined) return undefined
      remove(kind, one.id)
      return one.id
    }
  /** Refuses a method of a collection. */
  const refuse = (method: string, path: string, status: number, forMs: number): string => {
    const url = 'http://openstack.example.com/network/v2.0/'
    const { body, headers } = refusedAnswer({ url, method: method as 'GET' }, status)
    const effect = { kind: 'answer', status, body, headers: headers as Record<string, string> } as const
    clock.after(forMs, faults.add({ method, path, times: Number.POSITIVE_INFINITY, effect }))
    return `${status} for ${method} ${path} for ${forMs} ms`
  }

  return {
    'delete a rule of a security group': removeOne('securityGroupRule', () => {
      const groups = new Set(ours('securityGroup').map(({ id }) => id))
      return resources('securityGroupRule').filter(rule => groups.has(rule.security_group_id))
    }),
    'remove the interface of a router': removeOne('port', () => {
      const subnets = new Set(ours('subnet').map(({ id }) => id))
      return resources('port').filter(
        port =>
          port.device_owner === 'network:router_interface' &&
          port.fixed_ips.some(ip => subnets.has(ip.subnet_id)),
      )
    }),
    'clear the gateway of a router': async pick => {
      const router = chosen(ours('router'), pick)
      if (router === undefined) return undefined
      for (const port of resources('port'))
        if (port.device_id === router.id && port.device_owner === 'network:router_gateway')
          remove('port', port.id)
      put('router', router.id, { external_gateway_info: null })
      return router.id
    },
    'change the DNS servers of a subnet': async pick => {
      const subnet = chosen(ours('subnet'), pick)
      if (subnet === undefined) return undefined
      put('subnet', subnet.id, { dns_nameservers: ['192.0.2.53'] })
      return subnet.id
    },
    'delete a server': removeOne('server', () =>
      resources('server').filter(server => server.name.startsWith(name) && !server.name.endsWith('-others')),
    ),
    'delete the key pair': removeOne('keypair', () =>
      resources('keypair').filter(pair => pair.name.startsWith(name)),
    ),
    'delete a DNS record': removeOne('recordSet', () =>
      resources('recordSet').filter(
        ({ name: of, type, _managed }) => type === 'A' && !_managed && !of.startsWith('others.'),
      ),
    ),
    'refuse an action for a while': async pick => {
      const method = chosen(methods, pick) ?? 'GET'
      const path = `/${chosen(collections, pick >> 2)}`
      return refuse(
        method,
        path,
        chosen(statuses, pick >> 3) ?? 500,
        chosen(durations, pick >> 1) ?? minuteMs,
      )
    },
    'find nothing by id for a while': async pick =>
      refuse('GET', `/${chosen(readById, pick)}/`, 404, hiddenMs),
    'reach a quota for a while': async pick => {
      const [quota, most] = chosen(quotas, pick) ?? ['port', 500]
      setQuota(quota, 0)
      clock.after(chosen(durations, pick >> 2) ?? minuteMs, () => setQuota(quota, most))
      return quota
    },
  }
}

export const openstackAccidentNames = [
  'delete a rule of a security group',
  'remove the interface of a router',
  'clear the gateway of a router',
  'change the DNS servers of a subnet',
  'delete a server',
  'delete the key pair',
  'delete a DNS record',
  'refuse an action for a while',
  'find nothing by id for a while',
  'reach a quota for a while',
] as const
