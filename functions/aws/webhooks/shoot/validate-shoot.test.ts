import { describe, expect, test } from 'vitest'
import { gardenWith, type Otherwise, shootWith, validate } from '../testing/reviews.ts'

const networks = 'spec.provider.infrastructureConfig.networks'
const pool = 'spec.provider.workers.0'
const ipv6 = { 'spec.networking.ipFamilies': ['IPv4', 'IPv6'] }

describe('a shoot is refused', () => {
  test.each<[string, Otherwise, string]>([
    [
      'with a zone of another region, with a sorted list of the zones',
      { [`${networks}.zones.0.name`]: 'eu-west-1x' },
      'spec.provider.infrastructureConfig.network.zones[0].name: Unsupported value: "eu-west-1x": expected one of the zones of the region (eu-west-1a, eu-west-1b, eu-west-1c)',
    ],
    [
      'whose region is none of the CloudProfile, also where no pool names an image',
      { 'spec.region': 'us-east-1', [`${pool}.machine.image`]: undefined },
      'spec.region: Unsupported value: "us-east-1": expected a region of the cloud profile (eu-west-1)',
    ],
    [
      'with IPv6 and an overlay of which nothing is said',
      { ...ipv6, 'spec.networking.providerConfig': { overlay: {} } },
      'spec.networking.providerConfig.overlay.enabled: Invalid value: null: expected false: IPv6 does not support an overlay',
    ],
    [
      'with an overlay that is none',
      { 'spec.networking.providerConfig': { overlay: true } },
      'spec.networking.providerConfig.overlay: Invalid value: true: expected an object with the field enabled',
    ],
    [
      'with an overlay that is neither on nor off',
      { 'spec.networking.providerConfig': { overlay: { enabled: 'no' } } },
      'spec.networking.providerConfig.overlay.enabled: Invalid value: "no": expected true or false',
    ],
    [
      'that takes IPv6 addresses of a pool, and has no IPv6',
      { [`${networks}.vpc.ipv6IpamPool`]: { id: 'ipam-1' } },
      'networks.vpc.ipv6IpamPool.id: Forbidden: expected nothing without the IP family IPv6: no address of the pool would be used',
    ],
    [
      'without a subnet for load balancers',
      { [`${networks}.zones.0.public`]: undefined },
      'networks.zones[0].public: Required value: expected the CIDR of a subnet, found nothing',
    ],
    [
      'whose InfrastructureConfig is a list',
      { 'spec.provider.infrastructureConfig': [] },
      'spec.provider.infrastructureConfig: Invalid value: []: expected an object, found a list',
    ],
    [
      'with a slip of the pen in a config',
      { [`${networks}.zones.0.worker`]: '10.250.0.0/19' },
      'spec.provider.infrastructureConfig: Invalid value: {…}: networks.zones[0].worker: unknown field of an InfrastructureConfig (did you mean workers?)',
    ],
    [
      'that names credentials of a kind that nothing is known of',
      {
        'spec.dns': {
          providers: [
            {
              type: 'aws-route53',
              primary: true,
              credentialsRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
            },
          ],
        },
      },
      'spec.dns.providers[0].credentialsRef: Internal error: unsupported credentials reference: version "v1", kind "ConfigMap"',
    ],
    [
      'with a feature gate of a newer Kubernetes',
      {
        'spec.provider.controlPlaneConfig': {
          apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
          kind: 'ControlPlaneConfig',
          cloudControllerManager: { featureGates: { DetectCacheInconsistency: true } },
        },
      },
      'spec.provider.controlPlaneConfig.cloudControllerManager.featureGates.DetectCacheInconsistency: Invalid value: true: expected a feature gate of Kubernetes 1.33, found one that exists since 1.34',
    ],
    [
      'of a profile of a namespace that is not there',
      { 'spec.cloudProfile': { kind: 'NamespacedCloudProfile', name: 'mine' } },
      'NamespacedCloudProfile.core.gardener.cloud "mine" not found',
    ],
    [
      'that is none',
      { 'spec.provider.workers': 'three' },
      'spec.provider.workers: Invalid value: "three": expected a list, found a string',
    ],
  ])('%s', async (_, other, message) => {
    const answered = await validate(shootWith(other))
    expect(answered).toMatchObject({ allowed: false, message })
  })
})

test('a shoot is validated against the profile of its namespace', async () => {
  const mine = {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'NamespacedCloudProfile',
    metadata: { name: 'mine', namespace: 'garden-p' },
    status: { cloudProfileSpec: gardenWith().find(({ metadata }) => metadata.name === 'aws')?.spec },
  }
  const shoot = shootWith({ 'spec.cloudProfile': { kind: 'NamespacedCloudProfile', name: 'mine' } })
  expect(await validate(shoot, { garden: [mine] })).toMatchObject({ allowed: true })
})

test('a shoot that was created before profiles had kinds is allowed', async () => {
  const shoot = shootWith({ 'spec.cloudProfile': undefined, 'spec.cloudProfileName': 'aws' })
  expect(await validate(shoot)).toMatchObject({ allowed: true })
})

describe('an image of a pool that the CloudProfile has removed', () => {
  const garden = gardenWith({ 'spec.providerConfig.machineImages': [] })
  const lost = (index: number) =>
    `spec.provider.workers[${index}].machine.image: Invalid value: {"name":"gardenlinux","version":"1877.3.0"}: no machine image found`

  test('is allowed if the pool does not change', async () => {
    const old = shootWith()
    expect(await validate(shootWith({ 'spec.maintenance.now': 1 }), { old, garden })).toMatchObject({
      allowed: true,
    })
    expect(await validate(shootWith({ [`${pool}.maximum`]: 5 }), { old, garden })).toMatchObject({
      allowed: true,
    })
  })

  test.each<[string, Otherwise]>([
    ['machine type', { [`${pool}.machine.type`]: 'm6g.large', [`${pool}.machine.architecture`]: 'arm64' }],
    ['image', { [`${pool}.machine.image.version`]: '1443.1.0' }],
    ['name', { [`${pool}.name`]: 'other' }],
  ])('is refused for a pool with another %s', async (_, other) => {
    const { allowed, message } = await validate(shootWith(), { old: shootWith(other), garden })
    expect(allowed).toBe(false)
    expect(message).toContain(lost(0))
  })

  test('is refused for a new pool, and the other pools are ignored', async () => {
    const [first] = [shootWith().spec].map(
      spec => (spec as { provider: { workers: object[] } }).provider.workers[0],
    )
    const shoot = shootWith({ 'spec.provider.workers': [first, { ...first, name: 'new' }] })
    const { message } = await validate(shoot, { old: shootWith(), garden })
    expect(message.startsWith(lost(1))).toBe(true)
  })

  test('is ignored for a shoot that is being deleted', async () => {
    const gone = { 'metadata.deletionTimestamp': '2026-01-01T00:00:00Z', [`${pool}.name`]: 'other' }
    expect(await validate(shootWith(gone), { old: shootWith(), garden })).toMatchObject({ allowed: true })
  })
})

describe('an old config', () => {
  test('may have unknown fields', async () => {
    const old = shootWith({ 'spec.provider.infrastructureConfig.hat': 1 })
    expect(await validate(shootWith(), { old })).toMatchObject({ allowed: true })
  })

  test.each<[string, unknown, string]>([
    ['no InfrastructureConfig', undefined, 'the previous Shoot has no InfrastructureConfig'],
    ['one that cannot be read', { kind: 1 }, 'cannot read the InfrastructureConfig of the previous Shoot'],
  ])('that had %s is reported as such', async (_, config, message) => {
    const old = shootWith({ 'spec.provider.infrastructureConfig': config })
    const answered = await validate(shootWith(), { old })
    expect(answered.message).toContain(`spec.provider.infrastructureConfig: Internal error: ${message}`)
  })

  test('is retained: a zone that the region no longer has, a region that is no longer offered, a pool of addresses', async () => {
    const other = { [`${networks}.vpc.ipv6IpamPool`]: { id: 'ipam-1' } }
    const garden = gardenWith({ 'spec.regions': [{ name: 'eu-west-1', zones: [] }] })
    expect(await validate(shootWith(other), { old: shootWith(other), garden })).toMatchObject({
      allowed: true,
    })
    const without = gardenWith({ 'spec.regions': [] })
    expect(await validate(shootWith(other), { old: shootWith(other), garden: without })).toMatchObject({
      allowed: true,
    })
  })
})

test.each<[string, Otherwise]>([
  ['a zone without subnets for load balancers', { [`${networks}.zones.0.public`]: undefined }],
  ['an overlay that is none', { 'spec.networking.providerConfig': { overlay: true } }],
  ['one of which nothing is said', { ...ipv6, 'spec.networking.providerConfig': { overlay: {} } }],
])('a shoot with %s from another admission can still be confirmed for deletion', async (_, other) => {
  const confirmed = { 'metadata.annotations': { 'confirmation.gardener.cloud/deletion': 'true' } }
  expect(await validate(shootWith({ ...other, ...confirmed }), { old: shootWith(other) })).toMatchObject({
    allowed: true,
  })
  expect((await validate(shootWith(other), { old: shootWith() })).allowed).toBe(false)
})

test('an error that would repeat an earlier one is not reported', async () => {
  const shoot = shootWith({ [`${networks}.zones.0.name`]: 'eu-west-1x', 'spec.networking.nodes': undefined })
  expect((await validate(shoot)).message).not.toContain('spec.networking.nodes')
})

test('a shoot without workers has no errors', async () => {
  expect(
    await validate(shootWith({ 'spec.provider.workers': [], 'spec.cloudProfile.name': 'none' })),
  ).toMatchObject({
    allowed: true,
  })
})

test('an update accepts an unchanged WorkerConfig that would be refused in a new pool', async () => {
  const providerConfig = {
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'WorkerConfig',
    cpuOptions: { coreCount: 2 },
    iamInstanceProfile: { name: 'my profile!' },
  }
  const old = shootWith({ [`${pool}.providerConfig`]: providerConfig })
  expect(await validate(old)).toMatchObject({ allowed: false })
  const other = { [`${pool}.providerConfig`]: providerConfig, [`${pool}.maximum`]: 7 }
  expect(await validate(shootWith(other), { old })).toMatchObject({ allowed: true })
})
