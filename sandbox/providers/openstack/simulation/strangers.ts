import type { AddOptions, CloudItem, ItemKind, SimulatedOpenStack } from '../simulator/openstack.ts'
import { wholeShoot, zoneName } from './whole-shoot.ts'

/** The network and the router that users of shoots have created. */
export const given = {
  network: '00000000-0000-4000-8000-0000000000a1',
  router: '00000000-0000-4000-8000-0000000000a2',
} as const

/** The mark of another landscape's shoot with the same name. */
const description = 'trellis.gardener.cloud/created-for=uid-of-a-namesake'
const cluster = wholeShoot.status.technicalID

/**
 * Creates resources that do not belong to Gardener, or to a shoot of another landscape with the same name: in another
 * project without marks, and in the project of our shoots with marks of its own.
 */
export const moveIn = ({ add, addObject, resources }: SimulatedOpenStack): void => {
  const pool = resources('network').find(({ name }) => name === 'public')?.id
  const gateway = { external_gateway_info: { network_id: pool } }

  const connect = (
    router: string,
    network: string,
    subnet: CloudItem,
    ip: string,
    options: AddOptions = {},
  ): void =>
    void add(
      'port',
      {
        network_id: network,
        device_id: router,
        device_owner: 'network:router_interface',
        fixed_ips: [{ subnet_id: subnet.id, ip_address: ip }],
      },
      options,
    )
  const addNamesake = (mark: object, options: AddOptions): void => {
    const own = { name: cluster, ...mark }
    const network = add('network', own, options)
    const range = { network_id: network.id, cidr: '10.250.0.0/16', ip_version: 4 }
    const subnet = add('subnet', { ...own, ...range }, options)
    const router = add('router', { ...own, ...gateway }, options)
    connect(router.id, network.id, subnet, '10.250.0.1', options)
    // The machine controller refuses two groups with the name of ours in one project.
    if (options.project !== undefined) add('securityGroup', own, options)
    const server = {
      name: `${cluster}-all-z1-00000-others`,
      flavorRef: '1',
      imageRef: resources('image')[0]?.id,
      networks: [{ uuid: network.id }],
    }
    add('server', server, options)
    add('floatingIp', { floating_network_id: pool, description: `${cluster}-others` }, options)
  }
  addNamesake({}, { project: 'other' })
  addNamesake({ description }, {})

  add('network', { id: given.network, name: 'given' })
  const others = { name: 'of others', network_id: given.network, cidr: '10.9.0.0/24', ip_version: 4 }
  const subnet = add('subnet', others)
  add('router', { id: given.router, name: 'given', ...gateway })
  connect(given.router, given.network, subnet, '10.9.0.1')

  addObject('of-others', `${cluster}--notes`)
  const zone = resources('zone')[0]?.id
  const records: readonly (readonly [kind: ItemKind, fields: object])[] = [
    ['recordSet', { zone_id: zone, name: `others.${zoneName}.`, type: 'A', records: ['198.51.100.7'] }],
    [
      'recordSet',
      { zone_id: zone, name: `api.iris.${zoneName}.`, type: 'MX', records: ['10 mail.example.org.'] },
    ],
  ]
  for (const [kind, fields] of records) add(kind, fields as never, { project: 'domains' })
}
