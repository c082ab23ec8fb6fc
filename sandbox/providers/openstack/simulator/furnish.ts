import { uuidOf } from './core/chosen.ts'
import type { ItemKind } from './core/items.ts'
import type { ItemFields } from './core/kind.ts'

/** Creates a resource as the operator of the cloud: in the project of the operator, or in `shoots`. */
export type AddItem = (kind: ItemKind, fields: ItemFields, isOfShoots?: boolean) => void

interface ExternalNetwork {
  readonly name: string
  readonly subnets: readonly (ItemFields & { readonly name: string })[]
}

const externalNetworks: readonly ExternalNetwork[] = [
  { name: 'public', subnets: [{ name: 'public-subnet', cidr: '203.0.113.0/24' }] },
  {
    name: 'public-multi',
    subnets: [
      { name: 'fip-a', cidr: '198.51.100.0/26' },
      { name: 'fip-b', cidr: '198.51.100.64/26' },
      { name: 'other-c', cidr: '198.51.100.128/26' },
    ],
  },
  {
    name: 'public-full',
    subnets: [
      {
        name: 'full-a',
        cidr: '192.0.2.0/30',
        gateway_ip: '192.0.2.1',
        allocation_pools: [{ start: '192.0.2.2', end: '192.0.2.2' }],
      },
      { name: 'full-b', cidr: '192.0.2.64/26' },
    ],
  },
  {
    name: 'public-dual',
    subnets: [
      { name: 'dual-v4', cidr: '192.0.2.128/26' },
      { name: 'dual-v6', cidr: '2001:db8:ffff::/64' },
    ],
  },
]

export const imageName = 'gardenlinux-1877.3.0'
export const imageId = uuidOf(`image ${imageName}`)

/** Creates what the operator offers every user: external networks, subnet pools, flavors, an image. */
export const addOperatorContent = (add: AddItem): void => {
  for (const { name, subnets } of externalNetworks) {
    const id = uuidOf(`network ${name}`)
    add('network', { id, name, 'router:external': true })
    for (const subnet of subnets)
      add('subnet', { id: uuidOf(`subnet ${subnet.name}`), network_id: id, enable_dhcp: false, ...subnet })
  }
  const pool = { min_prefixlen: undefined, shared: true }
  add('subnetPool', {
    ...pool,
    id: uuidOf('subnet pool v4pool'),
    name: 'v4pool',
    prefixes: ['10.180.0.0/16'],
    default_prefixlen: 24,
  })
  add('subnetPool', {
    ...pool,
    id: uuidOf('subnet pool v6pool'),
    name: 'v6pool',
    prefixes: ['2001:db8:1::/48'],
    default_prefixlen: 64,
  })
  add('flavor', { id: '1', name: 'm1.small', vcpus: 1, ram: 512 })
  add('flavor', { id: '2', name: 'm5.large', vcpus: 2, ram: 1024 })
  add('image', { id: imageId, name: imageName, visibility: 'public' })
}

/** The zones of the project `shoots`. */
export const zoneNames = ['example.com.', 'sub.example.com.'] as const

export const zoneIdOf = (name: string): string => uuidOf(`zone ${name}`)

export const addZones = (add: AddItem): void => {
  for (const name of zoneNames) add('zone', { id: zoneIdOf(name), name, email: 'dns@example.com' }, true)
}
