import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { contentsOf, mergeValues, parseValues } from '../../knative/chart/chart.ts'
import { goValuesReport, mapGoValues, readGoValues } from './go-values.ts'

const available = { functions: await findFunctions(), webhooks: await findWebhooks() }
const namesOf = (provider: string) =>
  available.functions.map(({ name }) => name).filter(name => name.startsWith(`${provider}-`))

/** The keys of a Go chart, with those that its templates read or its comments show. */
const keysOf = async (provider: string): Promise<readonly string[]> => {
  const file = new URL(`../../functions/${provider}/testing/go-values-keys.json`, import.meta.url)
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { readonly keys: readonly string[] }
  return keys
}

const valueAt = (path: string, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object

const samples: Readonly<Record<string, unknown>> = {
  'vpa.enabled': false,
  imageVectorOverwrite: 'images: []',
  'logging.level': 'debug',
  disableControllers: ['dnsrecord'],
  disableWebhooks: ['controlplane'],
}

test.each(['aws', 'openstack'])(
  'every key of the Go chart for %s has a counterpart or a reason',
  async provider => {
    const rules = await readGoValues([provider])
    const keys = await keysOf(provider)
    expect(keys.length).toBeGreaterThan(40)
    for (const key of keys) {
      const given = valueAt(key, samples[key] ?? 'text') as Readonly<Record<string, unknown>>
      const { moved, left, values } = mapGoValues(given, rules, namesOf(provider))
      const own = moved.filter(([from]) => !from.endsWith('(default)'))
      expect(own.length + [...left.values()].flat().length, key).toBe(1)
      expect([...left.keys()].join(), key).not.toContain('unknown in')
      // Our chart accepts what is written.
      const written = mergeValues(values, { seed: 'a', image: { registry: 'r.example/t' } })
      expect(() =>
        parseValues(contentsOf({ ...available, version: '1', libraryVersion: '1' }), written),
      ).not.toThrow()
    }
  },
)

test.each(['aws', 'openstack'])('every rule for %s is for a key of its Go chart', async provider => {
  const { rules } = await readGoValues([provider])
  const keys = (await keysOf(provider)).filter(key => key !== 'disableControllers')
  const used = new Set(
    keys.flatMap(key => {
      const { moved, left } = mapGoValues(
        valueAt(key, key === 'disableWebhooks' ? ['a'] : 'a') as Readonly<Record<string, unknown>>,
        {
          chart: '',
          rules: Object.fromEntries(Object.entries(rules).map(([rule]) => [rule, { why: rule }])),
        },
        [],
      )
      return [...moved.map(([from]) => from), ...left.keys()]
    }),
  )
  expect(Object.keys(rules).filter(rule => !used.has(rule))).toEqual([])
})

test('values of a landscape become values of Trellis, and each other one is named with its reason', async () => {
  const given = {
    image: { tag: 'v1.73.0' },
    replicaCount: 2,
    vpa: { enabled: false },
    disableControllers: ['worker', 'healthcheck'],
    disableWebhooks: [],
    imageVectorOverwrite: 'images: []\n',
    config: { etcd: { storage: { className: 'fast', parameters: { 'csi.storage.k8s.io/fstype': 'ext4' } } } },
    concurency: 3,
  }
  const mapped = mapGoValues(given, await readGoValues(['aws']), namesOf('aws'))
  expect(mapped.values).toEqual({
    functions: { 'aws-worker': { enabled: false } },
    verticalPodAutoscaler: { enabled: false },
    imageVectorOverwrite: 'images: []\n',
    webhook: { env: { TRELLIS_ETCD_STORAGE_CLASS: 'fast', TRELLIS_ETCD_STORAGE_CAPACITY: '25Gi' } },
  })
  const report = goValuesReport('aws.yaml', mapped)
  expect(report).toContain('  disableControllers: worker → functions.aws-worker.enabled\n')
  expect(report).toContain(
    '  config.etcd.storage.capacity (default) → webhook.env.TRELLIS_ETCD_STORAGE_CAPACITY\n',
  )
  expect(report).toContain('  image.tag: not needed: Trellis has images of its own.')
  expect(report).toContain('  disableControllers: healthcheck: not needed: no function has its task\n')
  expect(report).toContain('  config.etcd.storage.parameters.csi.storage.k8s.io/fstype: not supported: ')
  expect(report).toContain(
    '  concurency: unknown in gardener-extension-provider-aws v1.73.0. Check its spelling\n',
  )
  expect(report).not.toContain('disableWebhooks')
})

test('the seed keeps the class of its etcds, although a landscape never set it', async () => {
  const { values } = mapGoValues({}, await readGoValues(['openstack']), [])
  expect(values).toEqual({
    webhook: {
      env: {
        TRELLIS_OPENSTACK_ETCD_STORAGE_CLASS: 'gardener.cloud-fast',
        TRELLIS_OPENSTACK_ETCD_STORAGE_CAPACITY: '25Gi',
      },
    },
  })
})

test.each([[[]], [['aws', 'openstack']], [['local']], [['../aws']]])(
  'values of %j are refused',
  async providers => {
    await expect(readGoValues(providers)).rejects.toThrow('--from-values needs one --provider')
  },
)
