import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { configProblems } from './config-problems.ts'

const id = '0a000000-0000-4000-8000-000000000001'
const pathsOf = (networks: object, rest: object = {}, ipFamilies?: readonly string[]) => {
  const head = {
    apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'InfrastructureConfig',
  }
  const config = readConfig({ ...head, floatingPoolName: 'public', networks, ...rest })
  return configProblems(config, { ipFamilies }).map(({ path }) => path)
}
const workers = '10.250.0.0/16'
const six = { nodeCIDR: '2001:db8:1::/64', podCIDR: '2001:db8:2::/64', serviceCIDR: '2001:db8:3::/64' }
const dual = ['IPv4', 'IPv6']

test.each<[string, object, object | undefined, readonly string[] | undefined]>([
  ['a CIDR', { workers }, undefined, undefined],
  ['the former field', { worker: workers }, undefined, undefined],
  ['a pool', { subnetPool: { id, prefixLength: 26 } }, undefined, undefined],
  ['a given network and router', { workers, id, router: { id } }, undefined, undefined],
  ['two families', { workers, ipv6: six }, undefined, dual],
  ['two families from a pool', { workers, ipv6: { subnetPoolID: id } }, undefined, dual],
])('%s is valid', (_, networks, rest, families) => {
  expect(pathsOf(networks, rest, families)).toEqual([])
})

test.each<[string, object, object | undefined, readonly string[] | undefined, readonly string[]]>([
  ['no CIDR', {}, undefined, undefined, ['networks.workers']],
  ['host bits', { workers: '10.250.0.1/16' }, undefined, undefined, ['networks.workers']],
  ['IPv6 for workers', { worker: '2001:db8::/64' }, undefined, undefined, ['networks.worker']],
  [
    'a pool and a CIDR',
    { workers, subnetPool: { id, prefixLength: 26 } },
    undefined,
    undefined,
    ['networks.subnetPool'],
  ],
  [
    'a pool without a length',
    { subnetPool: { id } },
    undefined,
    undefined,
    ['networks.subnetPool.prefixLength'],
  ],
  [
    'ids that are none',
    { workers, id: 'x', router: { id: '' } },
    undefined,
    undefined,
    ['networks.id', 'networks.router.id'],
  ],
  ['a name with brackets', { workers }, { floatingPoolName: 'a[b' }, undefined, ['floatingPoolName']],
  [
    'a router and a floating subnet',
    { workers, router: { id } },
    { floatingPoolSubnetName: 'a' },
    undefined,
    ['floatingPoolSubnetName'],
  ],
  [
    'one IPv6 range',
    { workers, ipv6: { nodeCIDR: six.nodeCIDR } },
    undefined,
    dual,
    ['networks.ipv6.podCIDR', 'networks.ipv6.serviceCIDR'],
  ],
  [
    'overlapping ranges',
    { workers, ipv6: { ...six, podCIDR: six.nodeCIDR } },
    undefined,
    dual,
    ['networks.ipv6.podCIDR'],
  ],
  ['two families without ranges', { workers }, undefined, dual, ['networks.ipv6']],
  ['IPv6 alone', { workers }, undefined, ['IPv6'], ['']],
])('%s is refused', (_, networks, rest, families, paths) => {
  expect(pathsOf(networks, rest, families)).toEqual(paths)
})
