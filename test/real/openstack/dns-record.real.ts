import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definition } from '../../../functions/openstack/dnsrecord/function.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { describeWith } from '../with-part.ts'
import { plain } from './cloud/rest.ts'
import { secretData, userCalled } from './cloud/seed.ts'
import { type RunningCloud, startCloud } from './cloud/start-cloud.ts'
import { createFigures } from './lives/figures.ts'
import { beginLife, secretObject, succeeded } from './lives/life.ts'
import { recordedCloudError, recordedCloudLife } from './lives/recordings.ts'

const namespace = 'shoot--os--aux'

interface Scenario {
  readonly spec: { readonly name: string; readonly recordType: string; readonly values: readonly string[] }
  readonly zone: string
  /** Default: the values. */
  readonly records?: readonly string[]
  readonly givesZone?: boolean
}

/** By the names of the recordings. */
const scenarios: Readonly<Record<string, Scenario>> = {
  a: { spec: { name: 'a.example.com', recordType: 'A', values: ['1.2.3.4'] }, zone: 'example.com.' },
  aaaa: {
    spec: { name: 'aaaa.example.com', recordType: 'AAAA', values: ['2001:db8::1'] },
    zone: 'example.com.',
  },
  cname: {
    spec: { name: 'cname.example.com', recordType: 'CNAME', values: ['target.example.net'] },
    zone: 'example.com.',
    records: ['target.example.net.'],
  },
  txt: {
    spec: { name: 'txt2.example.com', recordType: 'TXT', values: ['plain'] },
    zone: 'example.com.',
  },
  wildcard: {
    spec: { name: '*.ingress.example.com', recordType: 'A', values: ['1.2.3.4'] },
    zone: 'example.com.',
  },
  'longest-zone': {
    spec: { name: 'api.sub.example.com', recordType: 'A', values: ['1.2.3.4'] },
    zone: 'sub.example.com.',
  },
  'zone-given': {
    spec: { name: 'zg.example.com', recordType: 'A', values: ['1.2.3.4'] },
    zone: 'example.com.',
    givesZone: true,
  },
}

describeWith('openstack', 'DNSRecords in Designate', programs => {
  let cloud: RunningCloud
  const state = { token: '', zones: new Map<string, string>() }
  const figures = createFigures('DNSRecord')
  beforeAll(async () => {
    cloud = await startCloud(programs, { services: ['dns'] })
    state.token = (await cloud.login('gardener')).token
    const { json } = await plain('GET', `${cloud.url('dns')}/v2/zones`, { token: state.token })
    for (const { id, name } of json.zones) state.zones.set(name, id)
  })
  afterAll(async () => {
    figures.print()
    await cloud?.close()
  })

  const recordSets = async (zone: string, name: string) => {
    const { json } = await plain('GET', `${cloud.url('dns')}/v2/zones/${state.zones.get(zone)}/recordsets`, {
      token: state.token,
    })
    return json.recordsets.filter(
      (one: { name: string; action: string }) => one.name === `${name}.` && one.action !== 'DELETE',
    )
  }
  const life = (spec: object, data: Readonly<Record<string, string>> = {}) => {
    const secretRef = { name: 'cloudprovider', namespace }
    const object: KubernetesObject = {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'DNSRecord',
      metadata: { name: 'record', namespace },
      ...{ spec: { type: 'openstack-designate', secretRef, ...spec } },
    }
    const secret = { ...secretData(cloud.authUrl, userCalled('gardener')), ...data }
    return beginLife({ definition, object, objects: [secretObject(secretRef, secret)] })
  }

  test.each(Object.entries(scenarios))('%s: created, left alone and deleted', async (name, scenario) => {
    const { spec, zone, records = spec.values, givesZone = false } = scenario
    const recorded = recordedCloudLife('dnsrecord', name)
    if (recorded) expect(recorded.object.spec).toMatchObject(spec)
    const id = state.zones.get(zone)
    const lived = life({ ...spec, ...(givesZone && { zone: id }) })
    const created = await lived.create()
    const { status } = succeeded(created)
    expect(status?.zone).toBe(id)
    if (recorded) expect(`<zone ${zone}>`).toBe(recorded.object.status.zone)
    const [made, ...others] = await recordSets(zone, spec.name)
    expect(others).toEqual([])
    expect(made).toMatchObject({ type: spec.recordType, records, ttl: 120 })
    if (recorded) {
      const { type, records: theirs, ttl } = recorded.content[0]
      expect({ type: made.type, records: unquoted(made.records), ttl: made.ttl }).toEqual({
        type,
        records: theirs,
        ttl,
      })
    }
    const idle = await lived.idle()
    succeeded(idle)
    expect(idle.writes).toEqual([])
    const removed = await lived.remove()
    expect(removed.object).toBeUndefined()
    expect(await recordSets(zone, spec.name)).toEqual([])
    figures.add(name, { create: created, idle, delete: removed }, recorded)
    lived.close()
  })

  test('changes of values and of the time to live, but not of the order, are written, also over changes by hand', async () => {
    const spec = { name: 'many.example.com', recordType: 'A', values: ['5.6.7.8', '1.2.3.4'] }
    const lived = life(spec)
    succeeded(await lived.create())
    const unsorted = await lived.ask('reconcile', { spec: { values: ['1.2.3.4', '5.6.7.8'] } })
    expect(unsorted.writes).toEqual([])
    const longer = await lived.ask('reconcile', { spec: { ttl: 300 } })
    expect(longer.writes).toHaveLength(1)
    const [made] = await recordSets('example.com.', spec.name)
    expect(made.ttl).toBe(300)
    await plain('PUT', `${cloud.url('dns')}/v2/zones/${made.zone_id}/recordsets/${made.id}`, {
      token: state.token,
      body: { records: ['9.9.9.9'] },
    })
    expect((await lived.idle()).writes).toHaveLength(1)
    expect((await recordSets('example.com.', spec.name))[0].records.toSorted()).toEqual([
      '1.2.3.4',
      '5.6.7.8',
    ])
    expect((await lived.remove()).object).toBeUndefined()
  })

  test('a record that is gone already is deleted without a write', async () => {
    const spec = { name: 'gone.example.com', recordType: 'A', values: ['1.2.3.4'] }
    const lived = life(spec)
    succeeded(await lived.create())
    const [made] = await recordSets('example.com.', spec.name)
    await plain('DELETE', `${cloud.url('dns')}/v2/zones/${made.zone_id}/recordsets/${made.id}`, {
      token: state.token,
    })
    await expect.poll(() => recordSets('example.com.', spec.name)).toEqual([])
    const removed = await lived.remove()
    expect(removed.object).toBeUndefined()
  })

  test('a record of the Go extension is taken over without a write', async () => {
    const spec = { name: 'theirs.example.com', recordType: 'A', values: ['1.2.3.4'] }
    const zone = state.zones.get('example.com.')
    await plain('POST', `${cloud.url('dns')}/v2/zones/${zone}/recordsets`, {
      token: state.token,
      body: { name: `${spec.name}.`, type: 'A', records: spec.values, ttl: 120 },
    })
    const lived = life(spec)
    const created = await lived.create()
    succeeded(created)
    expect(created.writes).toEqual([])
    expect((await lived.remove()).object).toBeUndefined()
    expect(await recordSets('example.com.', spec.name)).toEqual([])
  })

  test('a text with a space, which Go sends without quotes, becomes one string', async () => {
    const spec = { name: 'txt4.example.com', recordType: 'TXT', values: ['hello world'] }
    const lived = life(spec)
    succeeded(await lived.create())
    expect((await recordSets('example.com.', spec.name))[0].records).toEqual(['"hello world"'])
    expect((await lived.idle()).writes).toEqual([])
    expect((await lived.remove()).object).toBeUndefined()
  })

  describe('errors', () => {
    test.each<[string, object, Readonly<Record<string, string>>, readonly string[] | undefined]>([
      [
        'error-unknown-zone',
        { name: 'a.unknown.org', recordType: 'A', values: ['1.2.3.4'] },
        {},
        ['ERR_CONFIGURATION_PROBLEM'],
      ],
      [
        'error-wrong-password',
        { name: 'wrong.example.com', recordType: 'A', values: ['1.2.3.4'] },
        { password: 'wrong' },
        ['ERR_INFRA_UNAUTHORIZED'],
      ],
    ])('%s', async (name, spec, data, codes) => {
      const { object } = await life(spec, data).create()
      expect(object?.status?.lastError?.codes).toEqual(codes)
      const recorded = recordedCloudError('dnsrecord', name)
      // The Go extension reports no codes after the login.
      if (recorded?.codes) expect(object?.status?.lastError?.codes).toEqual(recorded.codes)
    })
  })
})

/** Designate stores texts with quotes, if they are sent with quotes. */
const unquoted = (records: readonly string[]) => records.map(record => record.replace(/^"(.*)"$/, '$1'))
