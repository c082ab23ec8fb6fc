import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { crdOf } from '../../shared/contract/crds/crd-of.ts'
import type { GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'
import { startTestSeed, type TestSeed } from './harness.ts'
import { accessKey, type RecordSpec, secretOf, secrets } from './shoot.ts'

const definitions: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
}

let seed: TestSeed
beforeAll(async () => {
  seed = await startTestSeed({ kinds: ['DNSRecord'] })
})
afterAll(() => seed.close())
beforeEach(() => seed.aws.calls.clear())

test('the API server refuses an object that violates the schema', async () => {
  await expect(seed.create('refused', { values: [1] })).rejects.toThrow('spec.values[0]')
})

describe('in a seed with a permissive CRD', () => {
  beforeAll(async () => {
    const { spec } = crdOf('DNSRecord')
    const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    await seed.kubernetes.patch(
      definitions,
      { name: 'dnsrecords.extensions.gardener.cloud' },
      {
        spec: { versions: spec.versions.map(entry => ({ ...entry, schema: { openAPIV3Schema: anything } })) },
      },
    )
  })

  test.each<[string, RecordSpec, string]>([
    [
      'a record type that is none',
      { recordType: 'MX' },
      'spec.recordType: expected one of "A", "AAAA", "CNAME", "TXT", found "MX"',
    ],
    ['a number among the values', { values: [1] }, 'spec.values[0]: expected a string, found a number'],
    [
      'a zone of hundreds of levels',
      { zone: JSON.parse('['.repeat(900) + ']'.repeat(900)) },
      'spec.zone: expected at most 500 levels of objects and lists, found more',
    ],
    ['a time to live in words', { ttl: 'long' }, 'spec.ttl: expected an integer, found a string'],
  ])(
    '%s is reported with the path of the field, and the object remains unchanged',
    async (what, spec, problem) => {
      const name = what.replaceAll(' ', '-')
      const created = await seed.create(name, spec)
      const live = await seed.untilError(name)
      expect(live.status?.lastOperation).toMatchObject({ type: 'Create', state: 'Error' })
      expect(live.status?.lastError).toMatchObject({
        codes: ['ERR_CONFIGURATION_PROBLEM'],
        description: expect.stringContaining(problem),
      })
      expect(live.metadata.finalizers).toBeUndefined()
      expect(live.metadata.generation).toBe(1)
      expect(live.spec).toEqual(created.spec)
      expect(seed.actions()).toEqual([])
      await seed.remove(name)
      await seed.untilGone(name)
    },
  )

  test('a broken object is reconciled once it is repaired', async () => {
    await seed.create('repaired', { values: [1] })
    await seed.untilError('repaired')
    await seed.ask('repaired', 'reconcile', { values: ['192.0.2.1'] })
    const live = await seed.untilReady('repaired')
    expect(live.metadata.finalizers).toEqual(['extensions.gardener.cloud/dnsrecord'])
    await seed.remove('repaired')
    await seed.untilGone('repaired')
  })
})

describe('a Secret', () => {
  test('that is missing is reported, and its object remains unchanged and can be deleted', async () => {
    const created = await seed.create('no-secret', { secret: 'nowhere' })
    const live = await seed.untilError('no-secret')
    expect(live.status?.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringMatching(/Secret .*\/nowhere of spec\.secretRef: not found$/),
    })
    expect(live.metadata.finalizers).toBeUndefined()
    expect(live.spec).toEqual(created.spec)
    expect(seed.actions()).toEqual([])
    await seed.remove('no-secret')
    await seed.untilGone('no-secret')
  })

  test.each([
    ['has no access key', { region: 'eu-west-1' }, 'AWS_ACCESS_KEY_ID'],
    ['has half an access key', { AWS_ACCESS_KEY_ID: 'AKIAHALF' }, 'it has no secretAccessKey'],
    [
      'ends in a line break',
      { ...accessKey, AWS_SECRET_ACCESS_KEY: 'planted-with-line-break\n' },
      'its AWS_SECRET_ACCESS_KEY contains white space',
    ],
  ])('that %s is reported with its key, and no call is made', async (what, data, problem) => {
    const name = what.replaceAll(' ', '-')
    await seed.createSecret(name, data)
    const created = await seed.create(name, { secret: name })
    const live = await seed.untilError(name)
    expect(live.status?.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining(problem),
    })
    expect(live.status?.lastError?.description).toContain(`Secret ${created.metadata.namespace}/${name}`)
    expect(live.spec).toEqual(created.spec)
    expect(seed.actions()).toEqual([])
  })

  test('that is created later lets the record be created', async () => {
    await seed.create('patient', { secret: 'late' })
    await seed.untilError('patient')
    await seed.kubernetes.create(secrets, secretOf(accessKey, 'late'))
    // There is no new request: the next attempt starts by itself.
    await seed.untilReady('patient')
    expect(seed.records()).toContain('A patient.rose.example.com. 120 203.0.113.10')
  })
})

describe('values that are invalid in a record', () => {
  test.each<[string, RecordSpec, string]>([
    ['a-v6-address-in-an-a-record', { values: ['2001:db8::1'] }, 'spec.values[0]: expected an IPv4 address'],
    ['two-targets', { recordType: 'CNAME', values: ['a.org', 'b.org'] }, 'spec.values: expected exactly one'],
    ['a-name-with-a-space', { name: 'a b.example.com' }, 'spec.name: expected a domain name'],
    ['a-zone-that-is-a-path', { zone: '../../x' }, 'spec.zone: expected the id of a Route 53 hosted zone'],
  ])('%s is reported with the path of the field, and no call is made', async (name, spec, problem) => {
    await seed.create(name, spec)
    const live = await seed.untilError(name)
    expect(live.status?.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining(problem),
    })
    expect(seed.actions()).toEqual([])
  })
})
