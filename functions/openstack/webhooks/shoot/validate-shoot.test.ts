import { describe, expect, test } from 'vitest'
import { sendReview } from '../../../../sandbox/reviews/reviews.ts'
import { brokenLookup } from '../../../../shared/webhooks/admission/testing/broken-lookup.ts'
import type { Otherwise } from '../../../../shared/webhooks/admission/testing/play-reviews.ts'
import { gardenWith, ids, shootWith, validate, workerConfig } from '../testing/garden.ts'
import { definition as validator } from '../validator/webhook.ts'

const infrastructure = 'spec.provider.infrastructureConfig'
const networks = `${infrastructure}.networks`
const controlPlane = 'spec.provider.controlPlaneConfig'
const classes = `${controlPlane}.loadBalancerClasses`
const pool = 'spec.provider.workers.0'
const dual = { 'spec.networking.ipFamilies': ['IPv4', 'IPv6'] }
const ranges = { nodeCIDR: '2001:db8::/64', podCIDR: '2001:db8:1::/64', serviceCIDR: '2001:db8:2::/108' }

describe('a shoot is refused alone for', () => {
  test.each<[string, Otherwise, string]>([
    [
      'no InfrastructureConfig',
      { [infrastructure]: undefined },
      `${infrastructure}: Required value: expected an InfrastructureConfig`,
    ],
    [
      'an unknown field of it',
      { [`${networks}.foo`]: 1 },
      'strict decoding error: unknown field "networks.foo"',
    ],
    [
      'no ControlPlaneConfig',
      { [controlPlane]: undefined },
      `${controlPlane}: Required value: expected a ControlPlaneConfig`,
    ],
    ['an unknown field of that', { [`${controlPlane}.foo`]: 1 }, 'unknown field "foo"'],
    [
      'no CloudProfile',
      { 'spec.cloudProfile.name': 'none' },
      'CloudProfile.core.gardener.cloud "none" not found',
    ],
    [
      'no binding',
      { 'spec.secretBindingName': 'none' },
      'failed to get cloud provider credentials: secretbindings.core.gardener.cloud "none" not found',
    ],
    [
      'no CredentialsBinding',
      { 'spec.secretBindingName': undefined, 'spec.credentialsBindingName': 'none' },
      'failed to get cloud provider credentials: credentialsbindings.security.gardener.cloud "none" not found',
    ],
  ])('%s', async (_, other, message) => {
    const answered = await validate(shootWith(other))
    expect(answered.allowed).toBe(false)
    expect(answered.message).toContain(message)
  })

  test('a CloudProfile without a config', async () => {
    const garden = gardenWith({ 'spec.providerConfig': undefined })
    expect((await validate(shootWith(), { garden })).message).toContain('spec.cloudProfile: Required value')
  })

  test('a missing Secret, without a value of others', async () => {
    const garden = gardenWith().filter(({ kind }) => kind !== 'Secret')
    expect((await validate(shootWith(), { garden })).message).toBe(
      'failed to get cloud provider credentials: secrets "creds" not found',
    )
  })
})

test.each<[string, Otherwise, string]>([
  ['nodes', { 'spec.networking.nodes': undefined }, 'spec.networking.nodes: Required value'],
  [
    'IPv6 alone',
    { 'spec.networking.ipFamilies': ['IPv6'] },
    'spec.networking.ipFamilies: Invalid value: ["IPv6"]',
  ],
  [
    'an overlay that is none',
    { 'spec.networking.providerConfig': { overlay: true } },
    'spec.networking.providerConfig.overlay: Invalid value: true',
  ],
  ['both families without ranges', dual, `${networks}.ipv6: Required value`],
  ['IPv6 without content', { [`${networks}.ipv6`]: {} }, `${networks}.ipv6: Required value`],
  [
    'a missing range',
    { ...dual, [`${networks}.ipv6`]: { ...ranges, podCIDR: '' } },
    `${networks}.ipv6.podCIDR: Required value`,
  ],
  [
    'ranges that overlap',
    { ...dual, [`${networks}.ipv6`]: { ...ranges, podCIDR: '2001:db8::/56' } },
    `${networks}.ipv6.podCIDR: Invalid value`,
  ],
  [
    'a range of IPv4',
    { ...dual, [`${networks}.ipv6`]: { ...ranges, podCIDR: '10.0.0.0/8' } },
    `${networks}.ipv6.podCIDR: Invalid value`,
  ],
  [
    'a range that is not canonical',
    { ...dual, [`${networks}.ipv6`]: { ...ranges, podCIDR: '2001:db8:1::1/64' } },
    `${networks}.ipv6.podCIDR: Invalid value`,
  ],
  [
    'no floating pool',
    { [`${infrastructure}.floatingPoolName`]: '' },
    `${infrastructure}.floatingPoolName: Required value`,
  ],
  [
    'a pool with brackets',
    { [`${infrastructure}.floatingPoolName`]: 'a[b' },
    `${infrastructure}.floatingPoolName: Invalid value`,
  ],
  [
    'a long subnet',
    { [`${infrastructure}.floatingPoolSubnetName`]: 'a'.repeat(256) },
    `${infrastructure}.floatingPoolSubnetName: Invalid value`,
  ],
  [
    'a subnet of the pool beside a router',
    { [`${infrastructure}.floatingPoolSubnetName`]: 'a', [`${networks}.router`]: { id: ids.subnet } },
    'Forbidden: ',
  ],
  [
    'another floating pool',
    { [`${infrastructure}.floatingPoolName`]: 'none' },
    `${infrastructure}.floatingPoolName: Unsupported value: "none": expected a floating pool of the cloud profile for the domain and region (other, public)`,
  ],
  ['no range of nodes', { [networks]: {} }, `${networks}.workers: Required value`],
  [
    'a range and a subnet pool',
    { [`${networks}.subnetPool`]: { id: 'p', prefixLength: 24 } },
    `${networks}.subnetPool: Invalid value`,
  ],
  [
    'a subnet pool without id',
    { [networks]: { subnetPool: { id: '', prefixLength: 24 } } },
    `${networks}.subnetPool.id: Required value`,
  ],
  [
    'a prefix of 33',
    { [networks]: { subnetPool: { id: 'p', prefixLength: 33 } } },
    `${networks}.subnetPool.prefixLength: Invalid value: 33`,
  ],
  [
    'no prefix',
    { [networks]: { subnetPool: { id: 'p' } } },
    `${networks}.subnetPool.prefixLength: Invalid value`,
  ],
  ['a range that is none', { [`${networks}.workers`]: 'x' }, `${networks}.workers: Invalid value: "x"`],
  [
    'a range that is not canonical',
    { [`${networks}.workers`]: '10.250.0.1/19' },
    `${networks}.workers: Invalid value`,
  ],
  [
    'a former range that is none, beside the new one',
    { [`${networks}.worker`]: 'x' },
    `${networks}.worker: Invalid value`,
  ],
  [
    'a range outside of the nodes',
    { [`${networks}.workers`]: '10.0.0.0/19' },
    `${networks}.workers: Invalid value: "10.0.0.0/19": expected a CIDR inside networking.nodes (10.250.0.0/16)`,
  ],
  ['a network that is no id', { [`${networks}.id`]: 'mine' }, `${networks}.id: Invalid value: "mine"`],
  ['a router without id', { [`${networks}.router`]: {} }, `${networks}.router.id: Invalid value`],
  [
    'a router that is no id',
    { [`${networks}.router`]: { id: 'mine' } },
    `${networks}.router.id: Invalid value: "mine"`,
  ],
  [
    'no provider of load balancers',
    { [`${controlPlane}.loadBalancerProvider`]: '' },
    `${controlPlane}.loadBalancerProvider: Required value`,
  ],
  [
    'another provider',
    { [`${controlPlane}.loadBalancerProvider`]: 'f5' },
    `${controlPlane}.loadBalancerProvider: Unsupported value: "f5": expected a provider of load balancers of the cloud profile (amphora)`,
  ],
  [
    'a provider for all regions in a region with its own',
    { 'spec.region': 'eu-2' },
    `${controlPlane}.loadBalancerProvider: Unsupported value: "amphora": expected a provider of load balancers of the cloud profile (ovn)`,
  ],
  [
    'a class with another purpose',
    { [classes]: [{ name: 'a', purpose: 'x' }] },
    `${classes}[0]: Invalid value: {"name":"a","purpose":"x"}: expected the purpose default or private`,
  ],
  [
    'a class for the purpose vpn',
    { [classes]: [{ name: 'a', purpose: 'vpn' }] },
    `${classes}[0]: Invalid value: {"name":"a","purpose":"vpn"}: expected another purpose`,
  ],
  ['a class without name', { [classes]: [{ subnetID: 'here' }] }, `${classes}[0].name: Required value`],
  [
    'a network of a class that is no id',
    { [classes]: [{ name: 'a', floatingNetworkID: 'x' }] },
    `${classes}[0].floatingNetworkID: Invalid value: "x"`,
  ],
  [
    'a subnet of a class that is no id',
    { [classes]: [{ name: 'a', floatingSubnetID: 'x' }] },
    `${classes}[0].floatingSubnetID: Invalid value: "x"`,
  ],
  [
    'a subnet by an empty name',
    { [classes]: [{ name: 'a', floatingSubnetName: '' }] },
    `${classes}[0].floatingSubnetName: Required value`,
  ],
  [
    'tags with brackets',
    { [classes]: [{ name: 'a', floatingSubnetTags: '[x]' }] },
    `${classes}[0].floatingSubnetTags: Invalid value`,
  ],
  [
    'a subnet by id and name',
    { [classes]: [{ name: 'a', floatingSubnetID: ids.subnet, floatingSubnetName: 'x' }] },
    `${classes}[0]: Forbidden: expected one way to select the floating subnet, found floatingSubnetID, floatingSubnetName`,
  ],
  [
    'a class twice',
    { [classes]: [{ name: 'a' }, { name: 'a' }] },
    `${classes}[1].name: Duplicate value: "a"`,
  ],
  [
    'two default classes',
    { [classes]: [{ name: 'default' }, { name: 'b', purpose: 'default' }] },
    `${classes}: Invalid value`,
  ],
  [
    'two private classes',
    { [classes]: [{ name: 'private' }, { name: 'b', purpose: 'private' }] },
    'expected at most one private class',
  ],
  [
    'networks of no class',
    { [classes]: [{ name: 'lb', floatingSubnetName: 'x' }] },
    `${classes}[0]: Unsupported value`,
  ],
  [
    'a feature gate of another version',
    { [`${controlPlane}.cloudControllerManager.featureGates`]: { Foo: true } },
    `${controlPlane}.cloudControllerManager.featureGates.Foo: Invalid value`,
  ],
  [
    'file systems without a share network',
    { [`${controlPlane}.storage.csiManila.enabled`]: true },
    `${controlPlane}.storage.csiManila.enabled: Invalid value: true`,
  ],
  ['a pool without zones', { [`${pool}.zones`]: [] }, 'spec.provider.workers[0].zones: Required value'],
  [
    'a volume type without a size',
    { [`${pool}.volume`]: { type: 'fast' } },
    'spec.provider.workers[0].volume.type: Forbidden',
  ],
  [
    'an unknown field of a WorkerConfig',
    { [`${pool}.providerConfig`]: workerConfig({ foo: 1 }) },
    'spec.provider.workers[0].providerConfig: Invalid value',
  ],
  [
    'no policy of a server group',
    { [`${pool}.providerConfig`]: workerConfig({ serverGroup: {} }) },
    'providerConfig.serverGroup.policy: Invalid value',
  ],
  [
    'a policy that is not offered',
    { [`${pool}.providerConfig`]: workerConfig({ serverGroup: { policy: 'x' } }) },
    'providerConfig.serverGroup.policy: Invalid value: "x"',
  ],
  [
    'affinity in two zones',
    { [`${pool}.providerConfig`]: workerConfig({ serverGroup: { policy: 'affinity' } }) },
    'providerConfig.serverGroup.policy: Forbidden',
  ],
  [
    'a negative capacity',
    { [`${pool}.providerConfig`]: workerConfig({ nodeTemplate: { capacity: { cpu: '-1' } } }) },
    'providerConfig.nodeTemplate.capacity.cpu: Invalid value: "-1"',
  ],
  [
    'a virtual capacity with a fraction',
    { [`${pool}.providerConfig`]: workerConfig({ nodeTemplate: { virtualCapacity: { 'a.b/c': '1500m' } } }) },
    'providerConfig.nodeTemplate.virtualCapacity["a.b/c"]: Invalid value: "1500m"',
  ],
  [
    'a label of machines twice',
    {
      [`${pool}.providerConfig`]: workerConfig({
        machineLabels: [
          { name: 'a', value: 'b' },
          { name: 'a', value: 'b' },
        ],
      }),
    },
    'providerConfig.machineLabels[1].name: Duplicate value: "a"',
  ],
  [
    'a label of the pool',
    {
      [`${pool}.labels`]: { a: 'x' },
      [`${pool}.providerConfig`]: workerConfig({ machineLabels: [{ name: 'a', value: 'b' }] }),
    },
    'providerConfig.machineLabels[0].name: Invalid value: "a"',
  ],
  [
    'a label without value',
    { [`${pool}.providerConfig`]: workerConfig({ machineLabels: [{ name: 'a', value: '' }] }) },
    'providerConfig.machineLabels[0].value: ',
  ],
  [
    'an empty security group',
    { [`${pool}.providerConfig`]: workerConfig({ additionalSecurityGroups: [''] }) },
    'providerConfig.additionalSecurityGroups[0]: Required value',
  ],
  [
    'a security group twice',
    { [`${pool}.providerConfig`]: workerConfig({ additionalSecurityGroups: ['a', 'a'] }) },
    'providerConfig.additionalSecurityGroups[1]: Invalid value: "a"',
  ],
  [
    'DNS without credentials',
    { 'spec.dns.providers': [{ type: 'openstack-designate', primary: true }] },
    'spec.dns.providers[0].credentialsRef: Required value: expected a reference to a Secret',
  ],
  [
    'DNS with a missing Secret',
    { 'spec.dns.providers': [{ type: 'openstack-designate', primary: true, secretName: 'none' }] },
    'spec.dns.providers[0].secretName: Not found: "none"',
  ],
  [
    'DNS with a WorkloadIdentity',
    {
      'spec.dns.providers': [
        {
          type: 'openstack-designate',
          primary: true,
          credentialsRef: {
            apiVersion: 'security.gardener.cloud/v1alpha1',
            kind: 'WorkloadIdentity',
            name: 'x',
          },
        },
      ],
    },
    'spec.dns.providers[0].credentialsRef: Invalid value',
  ],
  [
    'DNS without the URL of Keystone',
    { 'spec.dns.providers': [{ type: 'openstack-designate', primary: true, secretName: 'creds' }] },
    'spec.dns.providers[0].secretName: Invalid value: "creds": secret.data[authURL]: Required value',
  ],
])('a shoot is refused for %s', async (_, other, message) => {
  const answered = await validate(shootWith(other))
  expect(answered.allowed).toBe(false)
  expect(answered.message).toContain(message)
  expect(answered.message).not.toContain('very-secret')
})

test('a garden that cannot be read refuses a shoot without checking it', async () => {
  const input = { operation: 'CREATE', object: shootWith() } as const
  expect(await sendReview(validator, input, { lookup: brokenLookup })).toMatchObject({
    allowed: false,
    code: 500,
  })
})
