import { describe, expect, test } from 'vitest'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { clusterOf, recordOf, recordSeed } from './testing/record-seed.ts'

const both = ['api.bar.local.gardener.cloud 120 A 192.0.2.1', 'api.bar.local.gardener.cloud 120 A 192.0.2.2']

describe('a record', () => {
  test('is created without a Secret, and found unchanged with one query', async () => {
    const seed = await recordSeed()
    await seed.converge()
    expect(seed.records()).toEqual(both)
    expect(await seed.status()).toMatchObject({
      lastOperation: { type: 'Create', state: 'Succeeded' },
      conditions: [{ type: 'Created', status: 'True' }],
    })
    expect(await seed.status()).not.toHaveProperty('zone')
    seed.messages()

    await seed.ask('reconcile')
    seed.takeWrites()
    seed.requests.splice(0)
    await seed.converge()
    expect(seed.messages()).toEqual(['QUERY NOERROR'])
    // The claim, Processing and Succeeded. The step reads object and Cluster.
    expect(seed.requests).toEqual([
      'get dnsrecords api',
      'get clusters shoot--foo--bar',
      'patch dnsrecords api',
      'patch dnsrecords/status api',
      'patch dnsrecords/status api',
    ])
  })

  test.each<[string, Partial<DNSRecord['spec']>, string[]]>([
    ['IPv6 addresses', { recordType: 'AAAA', values: ['2001:DB8::1'] }, ['120 AAAA 2001:db8::1']],
    ['a target', { recordType: 'CNAME', values: ['lb.example.org'] }, ['120 CNAME lb.example.org']],
    ['a time to live', { values: ['192.0.2.1'], ttl: 60 }, ['60 A 192.0.2.1']],
    ['a time to live of nothing', { values: ['192.0.2.1'], ttl: 0 }, ['0 A 192.0.2.1']],
  ])('has %s', async (_, spec, lines) => {
    const seed = await recordSeed({ object: recordOf(spec) })
    await seed.converge()
    expect(seed.records()).toEqual(lines.map(line => `api.bar.local.gardener.cloud ${line}`))
  })

  test.each<[string, Partial<DNSRecord['spec']>, string]>([
    ['a text', { recordType: 'TXT', values: ['x'] }, 'spec.recordType: expected A, AAAA or CNAME, found TXT'],
    ['an IPv4 address in AAAA', { recordType: 'AAAA' }, 'spec.values[0]: expected an IPv6 address'],
    ['an IPv6 address in A', { values: ['2001:db8::1'] }, 'spec.values[0]: expected an IPv4 address'],
    ['two targets', { recordType: 'CNAME', values: ['a.org', 'b.org'] }, 'expected exactly one value'],
    ['no value', { values: [] }, 'expected at least one value'],
    [
      'a name of another zone',
      { name: 'api.example.org' },
      'spec.name: expected a name in the zone local.gardener.cloud',
    ],
    [
      'a name that only ends like the zone',
      { name: 'evil-local.gardener.cloud' },
      'expected a name in the zone',
    ],
    [
      'a label that is too long',
      { name: `${'a'.repeat(64)}.local.gardener.cloud` },
      'expected a domain name',
    ],
    ['a time to live below nothing', { ttl: -1 }, 'spec.ttl'],
  ])('with %s is refused before any query, and gets no finalizer', async (_, spec, text) => {
    const seed = await recordSeed({ object: recordOf(spec) })
    await seed.converge()
    expect((await seed.status()).lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining(text),
    })
    expect((await seed.live())?.metadata.finalizers ?? []).toEqual([])
    expect(seed.messages()).toEqual([])
  })

  test('that cannot be written is an Error and is retried', async () => {
    const seed = await recordSeed()
    seed.server.faults.add({ fault: { kind: 'refuse', rcode: 'SERVFAIL' }, opcode: 'UPDATE' })
    await seed.converge()
    const { lastError } = await seed.status()
    expect(lastError.description).toContain('DNS update failed with rcode: SERVFAIL')
    expect(lastError).not.toHaveProperty('codes')
    await seed.clock.advance((await seed.dueAfter()) ?? 0)
    await seed.converge()
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
    expect(seed.records()).toEqual(both)
  })

  test('uses the settings', async () => {
    const object = recordOf({ name: 'api.example.org' })
    const seed = await recordSeed({ object, settings: { zone: 'example.org' } })
    await seed.converge()
    // The name server serves another zone.
    expect((await seed.status()).lastError.description).toContain('NOTAUTH')
  })

  test('of a seed, in a namespace without a Cluster, is created', async () => {
    const object = recordOf()
    const ofSeed = { ...object, spec: { ...Object(object.spec), class: 'seed' } }
    const seed = await recordSeed({ object: ofSeed, objects: [] })
    await seed.converge()
    expect(seed.records()).toEqual(both)
  })
})

describe('deleting', () => {
  const made = async (options: Parameters<typeof recordSeed>[0] = {}) => {
    const seed = await recordSeed(options)
    await seed.converge()
    seed.messages()
    return seed
  }

  test('deletes the records of the type, and no others of the name', async () => {
    const seed = await made()
    seed.server.set({ name: 'api.bar.local.gardener.cloud', type: 'AAAA', ttl: 1, data: '2001:db8::1' })
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(seed.records()).toEqual(['api.bar.local.gardener.cloud 1 AAAA 2001:db8::1'])
  })

  test('writes nothing if no record exists', async () => {
    const seed = await made()
    seed.server.clear()
    seed.messages()
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(seed.messages()).toEqual(['QUERY NXDOMAIN'])
  })

  test.each<[string, Partial<DNSRecord['spec']>]>([
    ['another zone', { name: 'api.example.org' }],
    ['a text', { recordType: 'TXT' }],
  ])('a record of %s causes no query', async (_, spec) => {
    const record = recordOf(spec)
    const finalizers = ['extensions.gardener.cloud/dnsrecord']
    const seed = await recordSeed({ object: { ...record, metadata: { ...record.metadata, finalizers } } })
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(seed.messages()).toEqual([])
  })

  test('by force deletes the record', async () => {
    const shoot = { metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } } }
    const seed = await made({ objects: [clusterOf(shoot)] })
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(seed.records()).toEqual([])
  })
})

describe('moving', () => {
  test('deletes the record, and the other seed recreates it once', async () => {
    const seed = await recordSeed()
    await seed.converge()
    await seed.ask('migrate')
    await seed.converge()
    expect(seed.records()).toEqual([])
    expect((await seed.live())?.metadata.finalizers ?? []).toEqual([])
    await seed.arrive()
    await seed.ask('restore')
    seed.messages()
    await seed.converge()
    expect(seed.records()).toEqual(both)
    expect(seed.messages()).toEqual(['QUERY NXDOMAIN', 'UPDATE NOERROR', 'QUERY NOERROR'])
    expect((await seed.status()).lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  })

  test('retains the record of a self-hosted shoot', async () => {
    const shoot = { spec: { provider: { workers: [{ name: 'a', controlPlane: {} }] } } }
    const seed = await recordSeed({ objects: [clusterOf(shoot)] })
    await seed.converge()
    seed.messages()
    await seed.ask('migrate')
    await seed.converge()
    expect(seed.records()).toEqual(both)
    expect(seed.messages()).toEqual([])
  })
})
