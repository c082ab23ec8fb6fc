import { describe, expect, test } from 'vitest'
import { lookupIn } from '../../../../sandbox/reviews/reviews.ts'
import { dnsErrors, poolErrors } from '../../../../shared/webhooks/garden/garden.ts'
import { apiVersion } from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { poolProblems, zoneProblems } from '../../worker/machines/machines.ts'
import { namespacedProfileWith, type Otherwise, shootWith, validate } from '../testing/reviews.ts'
import { dnsRules } from './validate-shoot.ts'

const many = 3_000
const names = Array.from({ length: many }, (_, index) => `networkz${index}`)
const fieldsOf = (value: unknown) => Object.fromEntries(names.map(name => [name, value]))
const networks = 'spec.provider.infrastructureConfig.networks'
const pool = 'spec.provider.workers.0'
const config = (kind: string, more: object) => ({ apiVersion, kind, ...more })

describe('a refusal lists twenty problems', () => {
  test.each<[string, Otherwise, number]>([
    [
      'of unknown fields of an InfrastructureConfig',
      { [`${networks}.vpc`]: { cidr: '10.250.0.0/16', ...fieldsOf(1) } },
      1,
    ],
    [
      'of unknown fields of a ControlPlaneConfig',
      { 'spec.provider.controlPlaneConfig': config('ControlPlaneConfig', fieldsOf(1)) },
      1,
    ],
    [
      'of unknown fields of a WorkerConfig',
      { [`${pool}.providerConfig`]: config('WorkerConfig', fieldsOf(1)) },
      1,
    ],
    [
      'of feature gates',
      {
        'spec.provider.controlPlaneConfig': config('ControlPlaneConfig', {
          cloudControllerManager: { featureGates: fieldsOf(true) },
        }),
      },
      20,
    ],
    ['of pools that are none', { 'spec.provider.workers': names }, 20],
    ['of zones of a pool', { [`${pool}.zones`]: names }, 20],
    [
      'of data volumes of a WorkerConfig',
      {
        [`${pool}.providerConfig`]: config('WorkerConfig', {
          dataVolumes: names.map(name => ({ name, iops: 1 })),
        }),
      },
      20,
    ],
    [
      'of ignored tags',
      { 'spec.provider.infrastructureConfig.ignoreTags': { keys: names.map(() => 'Name') } },
      20,
    ],
  ])('%s', async (_, other, listed) => {
    const { allowed, message } = await validate(shootWith(other))
    expect(allowed).toBe(false)
    const texts = message.split(/, (?=unknown field|networks\.|spec\.|cloudControllerManager\.|ignoreTags)/)
    expect(texts.length).toBeGreaterThanOrEqual(listed)
    expect(texts.length).toBeLessThan(40)
    expect(message.length).toBeLessThan(16_000)
    expect(message.match(/did you mean/g)?.length ?? 0).toBeLessThanOrEqual(20)
  })
})

/** Items of a user's list that count how often their names are read. */
const counted = () => {
  let reads = 0
  const items = names.map(name => ({
    get name() {
      reads++
      return name
    },
  }))
  return { items, reads: () => reads }
}

test('the time to compare pools with the old ones grows linearly', () => {
  const former = counted()
  const pools = counted()
  const good = { machine: {}, volume: { size: '1Gi', type: 'gp3' }, zones: ['a'] }
  const judged = {
    formerPools: former.items,
    pools: pools.items.map(item =>
      Object.defineProperties({ ...good, name: '' }, Object.getOwnPropertyDescriptors(item)),
    ),
  }
  const errors = poolErrors(judged as never, (pool, before) => [
    ...poolProblems(pool, before),
    ...zoneProblems(pool, ['a']),
  ])
  expect(errors).toEqual([])
  expect(former.reads() + pools.reads()).toBeLessThan(10 * many)
})

test('the time to compare data volumes with their settings grows linearly', () => {
  const volumes = counted()
  const dataVolumes = volumes.items.map(item =>
    Object.defineProperties({ size: '1Gi', type: 'gp3', name: '' }, Object.getOwnPropertyDescriptors(item)),
  )
  poolProblems({
    name: 'a',
    zones: ['a'],
    volume: { size: '1Gi', type: 'gp3' },
    dataVolumes,
    providerConfig: config('WorkerConfig', { dataVolumes: names.map(name => ({ name, iops: 1 })) }),
  } as never)
  expect(volumes.reads()).toBeLessThan(20 * many)
})

test('credentials of more than twenty primary providers are not looked up', async () => {
  const providers = names.map(name => ({
    type: 'aws-route53',
    primary: true,
    credentialsRef: { apiVersion: 'v1', kind: 'Secret', name },
  }))
  const { get, list } = lookupIn([])
  let lookups = 0
  const lookup = {
    list,
    get: (...of: Parameters<typeof get>) => {
      lookups++
      return get(...of)
    },
  }
  const errors = await dnsErrors({ dns: { providers } } as never, 'garden-a', lookup, dnsRules)
  expect(errors).toEqual([`spec.dns.providers: Too many: ${many}: expected one primary provider`])
  expect(lookups).toBe(0)
})

test('a version that a NamespacedCloudProfile repeats is compared with its regions once', async () => {
  const profile = namespacedProfileWith()
  const spec = Object(profile.spec)
  const [image] = spec.machineImages
  const [configImage] = spec.providerConfig.machineImages
  const regions = names.map(name => ({ name, ami: 'ami-1' }))
  const answered = await validate(
    namespacedProfileWith({
      'spec.machineImages': [
        {
          ...image,
          versions: names.slice(0, 500).flatMap(() => Array.from({ length: 10 }, () => image.versions[0])),
        },
      ],
      'spec.providerConfig.machineImages': [
        { ...configImage, versions: [{ ...configImage.versions[0], regions }] },
      ],
    }),
  )
  expect(answered).toMatchObject({ allowed: true })
})
