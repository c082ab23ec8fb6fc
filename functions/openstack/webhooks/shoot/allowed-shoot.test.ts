import { expect, test } from 'vitest'
import type { Otherwise } from '../../../../shared/webhooks/admission/testing/play-reviews.ts'
import { ids, shootWith, validate } from '../testing/garden.ts'

const infrastructure = 'spec.provider.infrastructureConfig'
const networks = `${infrastructure}.networks`
const controlPlane = 'spec.provider.controlPlaneConfig'
const classes = `${controlPlane}.loadBalancerClasses`
const dual = { 'spec.networking.ipFamilies': ['IPv4', 'IPv6'] }
const ranges = { nodeCIDR: '2001:db8::/64', podCIDR: '2001:db8:1::/64', serviceCIDR: '2001:db8:2::/108' }

test('a complete shoot is allowed, and one without workers', async () => {
  expect(await validate(shootWith())).toMatchObject({ allowed: true, message: '' })
  expect(await validate(shootWith({ 'spec.provider': { type: 'openstack' } }))).toMatchObject({
    allowed: true,
  })
})

test.each<[string, Otherwise]>([
  [
    'a CredentialsBinding of an InternalSecret',
    { 'spec.secretBindingName': undefined, 'spec.credentialsBindingName': 'inner' },
  ],
  ['no credentials', { 'spec.secretBindingName': undefined }],
  ['a subnet pool', { [networks]: { subnetPool: { id: 'any', prefixLength: 24 } } }],
  ['the former field of the range', { [networks]: { worker: '10.250.0.0/19' } }],
  ['given networks', { [`${networks}.id`]: ids.network, [`${networks}.router`]: { id: ids.subnet } }],
  ['both families from a pool', { ...dual, [`${networks}.ipv6`]: { subnetPoolID: 'any' } }],
  ['both families and ranges', { ...dual, [`${networks}.ipv6`]: ranges }],
  ['a class of the pool by its networks', { [classes]: [{ name: 'mine', floatingSubnetID: ids.subnet }] }],
  [
    'file systems',
    { [`${networks}.shareNetwork`]: { enabled: true }, [`${controlPlane}.storage.csiManila.enabled`]: true },
  ],
  ['a provider of its region', { 'spec.region': 'eu-2', [`${controlPlane}.loadBalancerProvider`]: 'ovn' }],
  [
    'DNS',
    {
      'spec.dns.providers': [
        {
          type: 'openstack-designate',
          primary: true,
          credentialsRef: { apiVersion: 'v1', kind: 'Secret', name: 'dns' },
        },
      ],
    },
  ],
  [
    'DNS by the former field',
    { 'spec.dns.providers': [{ type: 'openstack-designate', primary: true, secretName: 'dns' }] },
  ],
  [
    'DNS of another provider, or not primary',
    { 'spec.dns.providers': [{ type: 'aws-route53', primary: true }, { type: 'openstack-designate' }] },
  ],
])('a shoot is allowed with %s', async (_, other) => {
  expect(await validate(shootWith(other))).toMatchObject({ allowed: true, message: '' })
})
