import { describe, expect, test } from 'vitest'
import { type Otherwise, valueAt } from '../../../../shared/webhooks/admission/testing/play-reviews.ts'
import {
  capabilities,
  cloudProfileWith,
  gardenWith,
  ids,
  mutate,
  namespacedProfileWith,
  validate,
} from '../testing/garden.ts'

const config = 'spec.providerConfig'
const pools = `${config}.constraints.floatingPools`
const providers = `${config}.constraints.loadBalancerProviders`
const version = `${config}.machineImages.0.versions.0`
const shown = 'spec.providerConfig.machineImages[0].versions[0]'
const amd = { architecture: ['amd64'], hypervisor: ['kvm'] }
const region = { name: 'eu-1', id: 'image-1' }
const flavors = 'spec.machineImages.0.versions.0.capabilityFlavors'

const certificate = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`

test.each<[string, Otherwise]>([
  ['an image by name alone', { [version]: { version: '1.0.0', image: 'Garden Linux' } }],
  [
    'a pool for two domains',
    { [pools]: [{ name: 'a', domain: 'x' }, { name: 'a', domain: 'y' }, { name: 'a' }, { name: 'a' }] },
  ],
  [
    'Keystone by region',
    { [`${config}.keystoneURL`]: undefined, [`${config}.keystoneURLs`]: [{ region: 'a', url: 'https://k' }] },
  ],
])('a CloudProfile is allowed with %s', async (_, other) => {
  expect(await validate(cloudProfileWith(other))).toMatchObject({ allowed: true, message: '' })
})

test.each<[string, Otherwise, string]>([
  ['no config', { [config]: undefined }, `${config}: Required value`],
  [
    'an unknown field',
    { [`${config}.foo`]: 1 },
    'could not decode providerConfig of CloudProfile "os": strict decoding error: unknown field "foo"',
  ],
  ['no floating pool', { [pools]: [] }, `${pools}: Required value`],
  ['a pool without name', { [pools]: [{}] }, `${pools}[0].name: Required value`],
  ['an empty region', { [pools]: [{ name: 'a', region: '' }] }, `${pools}[0].region: Required value`],
  ['an empty domain', { [pools]: [{ name: 'a', domain: '' }] }, `${pools}[0].domain: Required value`],
  [
    'a pool twice',
    {
      [pools]: [
        { name: 'a', region: 'x' },
        { name: 'a', region: 'x' },
      ],
    },
    `${pools}[1].name: Duplicate value: "a"`,
  ],
  [
    'a class with a wrong id',
    { [pools]: [{ name: 'a', loadBalancerClasses: [{ name: 'b', floatingNetworkID: 'x' }] }] },
    `${pools}[0].loadBalancerClasses[0].floatingNetworkID: Invalid value: "x"`,
  ],
  ['no provider', { [providers]: [] }, `${providers}: Required value`],
  ['a provider without name', { [providers]: [{}] }, `${providers}[0].name: Required value`],
  [
    'a provider with an empty region',
    { [providers]: [{ name: 'a', region: '' }] },
    `${providers}[0].region: Required value`,
  ],
  [
    'a provider twice',
    {
      [providers]: [
        { name: 'a', region: 'x' },
        { name: 'a', region: 'x' },
      ],
    },
    `${providers}[1]: Duplicate value`,
  ],
  ['no image', { [`${config}.machineImages`]: [] }, `${config}.machineImages: Required value`],
  [
    'an image without name',
    { [`${config}.machineImages.0.name`]: '' },
    `${config}.machineImages[0].name: Required value`,
  ],
  [
    'an image without versions',
    { [`${config}.machineImages.0.versions`]: [] },
    `${config}.machineImages[0].versions: Required value`,
  ],
  ['an empty version', { [`${version}.version`]: '' }, `${shown}.version: Required value`],
  [
    'a region without name',
    { [`${version}.regions.0.name`]: '' },
    `${shown}.regions[0].name: Required value`,
  ],
  ['a region without id', { [`${version}.regions.0.id`]: '' }, `${shown}.regions[0].id: Required value`],
  [
    'an unknown architecture',
    { [`${version}.regions.0.architecture`]: 'x' },
    `${shown}.regions[0].architecture: Unsupported value: "x"`,
  ],
  [
    'flavors without capabilities',
    { [version]: { version: '1.0.0', capabilityFlavors: [{ capabilities: amd }] } },
    `${shown}.capabilityFlavors: Forbidden`,
  ],
  [
    'regions and flavors',
    { ...capabilities, [`${version}.capabilityFlavors`]: [{ capabilities: amd, regions: [region] }] },
    `${shown}.regions: Forbidden`,
  ],
  [
    'an architecture in a flavor',
    {
      ...capabilities,
      [version]: {
        version: '1.0.0',
        capabilityFlavors: [{ capabilities: amd, regions: [{ ...region, architecture: 'amd64' }] }],
      },
    },
    `${shown}.capabilityFlavors[0].regions[0].architecture: Forbidden`,
  ],
  [
    'a flavor without mapping',
    {
      ...capabilities,
      [flavors]: [amd],
      [version]: {
        version: '1.0.0',
        capabilityFlavors: [{ capabilities: { hypervisor: ['qemu'] }, regions: [region] }],
      },
    },
    `spec.machineImages[0].versions[0].capabilityFlavors[0]: Required value`,
  ],
  [
    'an image without mapping',
    { 'spec.machineImages.0.name': 'other' },
    'spec.machineImages[0]: Required value: expected mappings of the image other in spec.providerConfig, found none',
  ],
  [
    'a version without mapping',
    { 'spec.machineImages.0.versions.0.version': '9' },
    'spec.machineImages[0].versions[0]: Required value: expected mappings of gardenlinux@9',
  ],
  [
    'an architecture without mapping',
    { 'spec.machineImages.0.versions.0.architectures': ['arm64'] },
    'spec.machineImages[0].versions[0]: Required value: expected a mapping of gardenlinux@1.0.0 for arm64',
  ],
  ['no Keystone', { [`${config}.keystoneURL`]: undefined }, `${config}.keystoneURL: Required value`],
  [
    'a wrong certificate',
    { [`${config}.keystoneCACert`]: certificate('x') },
    `${config}.keystoneCACert: Invalid value`,
  ],
  [
    'Keystone without region and URL',
    { [`${config}.keystoneURLs`]: [{}] },
    `${config}.keystoneURLs[0].url: Required value`,
  ],
  [
    'a region of Keystone twice',
    { [`${config}.keystoneURLs`]: [1, 2].map(() => ({ region: 'a', url: 'b' })) },
    `${config}.keystoneURLs[1].region: Duplicate value: "a"`,
  ],
  [
    'a wrong certificate of a region',
    { [`${config}.keystoneURLs`]: [{ region: 'a', url: 'b', caCert: 'x' }] },
    `${config}.keystoneURLs[0].caCert: Invalid value: "x"`,
  ],
  [
    'a DNS server that is none',
    { [`${config}.dnsServers`]: ['dns.test'] },
    `${config}.dnsServers[0]: Invalid value: "dns.test"`,
  ],
  ['an empty domain of DHCP', { [`${config}.dhcpDomain`]: '' }, `${config}.dhcpDomain: Required value`],
  [
    'an empty policy',
    { [`${config}.serverGroupPolicies`]: [''] },
    `${config}.serverGroupPolicies[0]: Required value`,
  ],
])('a CloudProfile is refused with %s', async (_, other, message) => {
  const answered = await validate(cloudProfileWith(other))
  expect(answered.allowed).toBe(false)
  expect(answered.message).toContain(message)
})

describe('a NamespacedCloudProfile', () => {
  test('with its own image is allowed, and one that is being deleted', async () => {
    expect(await validate(namespacedProfileWith())).toMatchObject({ allowed: true, message: '' })
    const gone = { 'metadata.deletionTimestamp': '2026-01-01T00:00:00Z', 'spec.parent.name': 'none' }
    expect(await validate(namespacedProfileWith(gone))).toMatchObject({ allowed: true })
  })

  test.each<[string, Otherwise, string]>([
    ['another parent', { 'spec.parent.kind': 'Foo' }, 'parent reference must be of kind CloudProfile'],
    [
      'more than images',
      { [`${config}.keystoneURL`]: 'x', [pools]: [{ name: 'a' }], [`${config}.useSNAT`]: false },
      `${config}: Forbidden: expected only machineImages, found also keystoneURL, useSNAT, floatingPools`,
    ],
    [
      'an image without mapping',
      { 'spec.machineImages.0.name': 'more' },
      `${config}.machineImages: Required value`,
    ],
    ['a mapping without image', { 'spec.machineImages': [] }, `${config}.machineImages[0]: Required value`],
    [
      'a mapping without version',
      { 'spec.machineImages.0.versions.0.version': '3.0.0' },
      `${shown}: Required value`,
    ],
    [
      'a version of the parent',
      {
        'spec.machineImages': [{ name: 'gardenlinux', versions: [{ version: '1.0.0' }] }],
        [`${config}.machineImages.0.name`]: 'gardenlinux',
        [`${version}.version`]: '1.0.0',
      },
      `${shown}: Forbidden`,
    ],
    [
      'an excess architecture',
      { [`${version}.regions`]: [region, { ...region, architecture: 'arm64' }] },
      `${config}.machineImages: Forbidden: expected no mapping of own@2.0.0 in eu-1 for arm64`,
    ],
    [
      'a missing architecture',
      { 'spec.machineImages.0.versions.0.architectures': ['amd64', 'arm64'] },
      `${config}.machineImages: Required value: expected a mapping of own@2.0.0 in eu-1 for arm64`,
    ],
    [
      'no region',
      { [`${version}.regions`]: [] },
      `${config}.machineImages: Required value: expected a mapping of own@2.0.0 for amd64`,
    ],
  ])('is refused with %s', async (_, other, message) => {
    const answered = await validate(namespacedProfileWith(other))
    expect(answered.allowed).toBe(false)
    expect(answered.message).toContain(message)
  })

  test('is refused if a region lacks a flavor', async () => {
    const profile = namespacedProfileWith({
      [flavors]: [amd, { hypervisor: ['qemu'] }],
      [version]: {
        version: '2.0.0',
        capabilityFlavors: [
          { capabilities: amd, regions: [region, { ...region, name: 'eu-2' }] },
          { capabilities: { hypervisor: ['qemu'] }, regions: [region] },
        ],
      },
    })
    const { message } = await validate(profile, { garden: gardenWith(capabilities) })
    expect(message).toBe(
      `${config}.machineImages: Required value: expected a mapping of own@2.0.0 in eu-2 with map[hypervisor:[qemu]], found none`,
    )
  })
})

describe('mutations', () => {
  test('derive the flavors of a CloudProfile with capabilities, sorted', async () => {
    const profile = cloudProfileWith({
      ...capabilities,
      [`${version}.regions`]: [{ ...region, architecture: 'arm64' }, region],
    })
    const { object } = await mutate(profile)
    expect(valueAt(object, flavors)).toEqual([{ architecture: ['amd64'] }, { architecture: ['arm64'] }])
    expect((await mutate(cloudProfileWith())).object).toEqual(cloudProfileWith())
  })

  test('do not remove flavors of an image by name', async () => {
    const profile = cloudProfileWith({
      ...capabilities,
      [flavors]: [amd],
      [version]: { version: '1.0.0', image: 'x' },
    })
    expect((await mutate(profile)).object).toEqual(profile)
  })

  test('merge the images of a NamespacedCloudProfile into its status, in a fixed order', async () => {
    const status = 'status.cloudProfileSpec.providerConfig.machineImages'
    const profile = namespacedProfileWith({
      'status.observedGeneration': 1,
      [status]: [{ name: 'gardenlinux', versions: [] }],
    })
    const { object } = await mutate(profile)
    expect((valueAt(object, status) as readonly { name: string }[]).map(({ name }) => name)).toEqual([
      'gardenlinux',
      'own',
    ])
  })
})

describe('backups', () => {
  const seed = (backup?: object) => ({
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'Seed',
    metadata: { name: 's' },
    spec: { provider: { type: 'openstack' }, ...(backup && { backup }) },
  })
  const reference = (kind: string, apiVersion = 'v1') => ({
    provider: 'openstack',
    credentialsRef: { apiVersion, kind, name: 'b', namespace: ids.network },
  })

  test('need a v1 Secret, which is not read', async () => {
    expect(await validate(seed())).toMatchObject({ allowed: true })
    expect(await validate(seed(reference('Secret')))).toMatchObject({ allowed: true })
    expect((await validate(seed({ provider: 'openstack' }))).message).toBe(
      'spec.backup.credentialsRef: Required value: expected a reference to a Secret, found nothing',
    )
    const identity = reference('WorkloadIdentity', 'security.gardener.cloud/v1alpha1')
    expect((await validate(seed(identity))).message).toContain(
      'spec.backup.credentialsRef: Unsupported value: ',
    )
    const bucket = { ...seed(), kind: 'BackupBucket', spec: {} }
    expect((await validate(bucket)).message).toContain('spec.credentialsRef: Required value')
  })
})
