import { describe, expect, test } from 'vitest'
import { projectIdOf } from '../../../sandbox/providers/openstack/simulator/openstack.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type { SimulatedCloudOptions } from '../provider/testing/simulated-cloud.ts'
import { designateCloud } from './testing/designate-cloud.ts'
import { recordOf, recordSeed } from './testing/record-seed.ts'

const setUp = (names?: readonly string[], options?: SimulatedCloudOptions) => {
  const designate = designateCloud(names, options)
  const [zone] = designate.zones
  if (zone === undefined) throw new Error('no zone')
  const seed = recordSeed(designate)
  /** Replaces values of the Secret, in a new process. */
  const useSecret = async (texts: Readonly<Record<string, string>>) => {
    const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, btoa(text)]))
    await seed.kubernetes.patch(secrets, { name: 'dns', namespace: 'shoot--foo--bar' }, { data })
    seed.restart()
  }
  return { ...designate, zone, seed, useSecret }
}

const setGone = { type: 'recordset_not_found', message: 'Could not find RecordSet' }

const isWrite = (call: string) => /^(?:POST|PUT|DELETE)/.test(call)

describe('a record', () => {
  test.each<[string, Partial<DNSRecord['spec']>, string]>([
    ['addresses', { values: ['5.6.7.8', '1.2.3.4'] }, 'A api.example.com. 120 1.2.3.4 5.6.7.8'],
    ['an address twice', { values: ['1.2.3.4', '1.2.3.4'] }, 'A api.example.com. 120 1.2.3.4'],
    [
      'IPv6 addresses in two spellings',
      { recordType: 'AAAA', values: ['2001:db8:0::1', '2001:DB8::1'] },
      'AAAA api.example.com. 120 2001:DB8::1',
    ],
    [
      'a target',
      { recordType: 'CNAME', values: ['Target.example.net'], ttl: 300 },
      'CNAME api.example.com. 300 Target.example.net.',
    ],
    [
      'a text that needs no quotes',
      { recordType: 'TXT', values: ['plain'] },
      'TXT api.example.com. 120 plain',
    ],
    [
      'a text with a space',
      { recordType: 'TXT', values: ['b c', '"a"'] },
      'TXT api.example.com. 120 "a" "b c"',
    ],
    ['a wildcard', { name: '*.ingress.example.com' }, 'A *.ingress.example.com. 120 1.2.3.4'],
    ['capitals in its name', { name: 'API.Example.com' }, 'A api.example.com. 120 1.2.3.4'],
  ])('with %s costs four calls with the login, and then one read', async (_, spec, set) => {
    const { seed, zone, sets, calls } = setUp()
    const path = `zones/${zone.id}/recordsets`
    const status = await seed.apply(spec)
    expect(status.lastError).toBeUndefined()
    expect(sets()).toEqual([set])
    expect(status).toMatchObject({
      zone: zone.id,
      state: { zones: [zone.id], project: projectIdOf('shoots') },
    })
    expect(calls).toEqual(['login', 'GET zones', `GET ${path}`, `POST ${path}`])

    expect(await seed.apply(spec)).toMatchObject({ zone: zone.id, lastOperation: { state: 'Succeeded' } })
    expect(calls).toEqual([`GET ${path}`])
  })

  test('of the Go extension is taken over without a write, and its values may have any order', async () => {
    const { seed, zone, addSet, calls } = setUp()
    addSet(zone, { records: ['1.2.3.4', '5.6.7.8'] })
    await seed.apply({ values: ['5.6.7.8', '1.2.3.4'], zone: zone.id })
    expect(calls.filter(isWrite)).toEqual([])
  })

  test('with other values or another TTL is changed in place', async () => {
    const { seed, zone, addSet, sets, calls, bodies } = setUp()
    const { id } = addSet(zone, { ttl: null })
    await seed.apply()
    expect(calls.filter(isWrite)).toEqual([`PUT zones/${zone.id}/recordsets/${id}`])
    expect(JSON.parse(bodies[0] ?? '')).toEqual({ records: ['1.2.3.4'], ttl: 120 })
    await seed.apply({ values: ['9.9.9.9'], ttl: 60 })
    expect(sets()).toEqual(['A api.example.com. 60 9.9.9.9'])
  })

  test('with a wildcard leaves the other names that its pattern matches', async () => {
    const { seed, zone, addSet, sets } = setUp()
    for (const name of ['a', 'b', 'c']) addSet(zone, { name: `${name}.example.com.`, records: ['9.9.9.9'] })
    await seed.apply({ name: '*.example.com' })
    expect(sets()).toHaveLength(4)
    expect(await seed.remove()).toBeUndefined()
    expect(sets()).toEqual(['a', 'b', 'c'].map(name => `A ${name}.example.com. 120 9.9.9.9`))
  })

  test('is in the zone with the longest name, on any page of the list', async () => {
    const names = ['example.com.', 'other.org.', 'xapi.example.com.', 'sub.example.com.', 'example.net.']
    const { seed, zones } = setUp(names)
    const { zone } = await seed.apply({ name: 'api.sub.example.com' })
    expect(zones.find(({ id }) => id === zone)?.name).toBe('sub.example.com.')
  })

  test('whose zone has a namesake is in the one with the lower id, and says so until spec.zone decides', async () => {
    const { seed, zone, addZone, sets, openstack } = setUp()
    const other = addZone('example.net.')
    openstack.put('zone', other.id, { name: zone.name })
    const [first, second] = [zone.id, other.id].sort()
    const status = await seed.apply()
    expect(status.zone).toBe(first)
    const condition = { type: 'SeveralZones', status: 'True', message: expect.stringContaining(`${second}`) }
    expect(status.conditions).toContainEqual(expect.objectContaining(condition))

    const moved = await seed.apply({ zone: second ?? '' })
    expect(moved.zone).toBe(second)
    expect(moved.conditions).not.toContainEqual(expect.objectContaining({ type: 'SeveralZones' }))
    expect(sets()).toHaveLength(1)
  })

  test.each([
    [{}, 'RegionOne'],
    [{ region: 'RegionTwo' }, 'RegionTwo'],
  ])('with %j is written in %s (D2)', async (spec, region) => {
    const { seed, openstack, regions } = setUp(['example.net.'], { regions: ['RegionOne', 'RegionTwo'] })
    const zone = { name: 'example.com.', email: 'dns@example.com' }
    for (const one of ['RegionOne', 'RegionTwo']) openstack.add('zone', zone, { region: one })
    expect((await seed.apply(spec)).lastOperation.state).toBe('Succeeded')
    expect([...regions]).toEqual([region])
  })

  test('with another spec.zone leaves its former zone', async () => {
    const { seed, zone, addZone, sets } = setUp()
    await seed.apply()
    const other = addZone('api.example.com.')
    const status = await seed.apply({ zone: other.id })
    expect(status).toMatchObject({ zone: other.id, state: { zones: [other.id] } })
    expect([sets(zone), sets(other)]).toEqual([[], ['A api.example.com. 120 1.2.3.4']])
  })
})

describe('a record fails', () => {
  test.each<[string, Partial<DNSRecord['spec']>, string]>([
    ['a value of another family', { values: ['::1'] }, 'spec.values[0]: expected an IPv4 address'],
    ['a zone that is no id', { zone: '../..' }, 'spec.zone: expected the id of a Designate zone'],
  ])('before any call with %s', async (_, spec, text) => {
    const { seed, calls } = setUp()
    const { lastError } = await seed.apply(spec)
    expect(lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining(text),
    })
    expect(calls).toEqual([])
  })

  test.each(['', '7d0c5a52-9c3c-4c0e-8d3c-6a1a7c1b2a3d'])(
    'without a zone (spec.zone: %j), with a code and advice',
    async zone => {
      const { seed } = setUp(['other.org.'])
      const { lastError } = await seed.apply({ ...(zone && { zone }) })
      expect(lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
      expect(lastError.description).toContain(
        zone === '' ? 'Create one, or set spec.zone' : 'comes from spec.zone',
      )
    },
  )

  test.each<[string, number, object, string, string]>([
    [
      'quota',
      413,
      { type: 'over_quota', message: 'Quota exceeded for zone_recordsets.' },
      'ERR_INFRA_QUOTA_EXCEEDED',
      'creating A api.example.com. in zone',
    ],
    [
      'policy',
      403,
      { type: 'forbidden', message: 'Forbidden: create_recordset' },
      'ERR_INFRA_UNAUTHORIZED',
      'Forbidden: create_recordset',
    ],
    [
      'value',
      400,
      {
        type: 'invalid_object',
        errors: { errors: [{ path: ['records', 0], message: "'x' is no 'A' Record" }] },
      },
      'ERR_CONFIGURATION_PROBLEM',
      "invalid_object: records.0: 'x' is no 'A' Record",
    ],
  ])('by %s with a code and the words of Designate (D8)', async (_, status, body, code, text) => {
    const { seed, refuse } = setUp()
    refuse('POST', status, body, 40)
    const { lastError } = await seed.apply()
    expect(lastError).toMatchObject({ codes: [code], description: expect.stringContaining(text) })
  })

  test('while Designate has the status ERROR for an equal record set', async () => {
    const { seed, zone, addSet, calls } = setUp()
    addSet(zone, { status: 'ERROR', action: 'UPDATE' })
    const { lastError } = await seed.apply()
    expect(lastError.description).toContain('its name servers did not take the change')
    expect(calls.filter(isWrite)).toEqual([])
  })

  test('if another client was faster three times, and succeeds in the next step', async () => {
    const { seed, zone, addSet, refuse } = setUp()
    addSet(zone, { records: ['9.9.9.9'] })
    refuse('PUT', 404, setGone, 3)
    await seed.one.create(recordOf())
    await seed.one.step()
    const { description } = Object((await seed.one.live())?.status).lastError
    expect(description).toContain('changing A api.example.com.')
    expect(description).not.toContain('spec.zone')
    expect((await seed.apply()).lastOperation.state).toBe('Succeeded')
  })
})

describe('a record whose namesake is being deleted', () => {
  test('waits for the end of the deletion, and is created then', async () => {
    const { seed, openstack, sets } = setUp(undefined, { scale: 1 })
    await seed.apply()
    expect(await seed.remove()).toBeUndefined()
    const former = openstack.resources('recordSet').find(({ action }) => action === 'DELETE')
    expect(former?.name).toBe('api.example.com.')
    await seed.one.create(recordOf())
    const [wait] = await seed.one.run()
    expect(wait).toContain('Waiting until Designate has deleted the former record set A api.example.com.')
    expect(sets()).toEqual(['A api.example.com. 120 1.2.3.4'])
    expect(openstack.resources('recordSet').map(({ id }) => id)).not.toContain(former?.id)
  })

  test('waits also if only the refusal of its creation shows that deletion', async () => {
    const { seed, refuse, sets } = setUp()
    refuse('POST', 409, { type: 'duplicate_recordset', message: 'Duplicate RecordSet' }, 3)
    await seed.one.create(recordOf())
    const [wait] = await seed.one.run()
    expect(wait).toContain('Waiting until Designate has deleted the former record set A api.example.com.')
    expect(sets()).toHaveLength(1)
  })
})

test('the migration of an object of the Go extension retains its zone for the next seed', async () => {
  const { seed, zone, addZone } = setUp()
  await seed.apply()
  const key = { name: 'api', namespace: 'shoot--foo--bar' }
  const patchStatus = (status: object) =>
    seed.kubernetes.patch(kinds.DNSRecord.resource, key, { status }, { subresource: 'status' })
  // The Go extension has no state, and only the state reaches another seed.
  await patchStatus({ state: null })
  await seed.request(recordOf(), 'migrate')
  await patchStatus({ zone: null })
  addZone('api.example.com.')
  const { status } = Object(await seed.request(recordOf(), 'restore'))
  expect(status.zone).toBe(zone.id)
})

describe('deleting', () => {
  test('costs two calls and a login, and leaves records of other types', async () => {
    const { seed, zone, addSet, sets, calls } = setUp()
    addSet(zone, { type: 'AAAA', records: ['::1'] })
    await seed.apply()
    seed.restart()
    expect(await seed.remove()).toBeUndefined()
    expect(calls.map(call => call.split(' ')[0])).toEqual(['login', 'GET', 'DELETE'])
    expect(sets()).toEqual(['AAAA api.example.com. 120 ::1'])
  })

  test('succeeds if the record set is gone, or is deleted meanwhile', async () => {
    const { seed, refuse } = setUp()
    await seed.apply()
    refuse('DELETE', 404, setGone)
    expect(await seed.remove()).toBeUndefined()
  })

  test('of a record that is PENDING does not wait for Designate, and does not repeat its deletion', async () => {
    const { seed, openstack, clock, calls, sets } = setUp(undefined, { scale: 1 })
    await seed.apply()
    expect(await seed.remove()).toBeUndefined()
    await seed.one.create(recordOf())
    await seed.one.step()
    expect(openstack.resources('recordSet').map(({ action }) => action)).toContain('DELETE')
    await seed.remove()
    expect(calls.filter(isWrite)).toEqual([])
    await clock.advance(600_000)
    expect(sets()).toEqual([])
  })

  test.each(['is gone', 'is being deleted'])('succeeds if the zone %s (D9)', async how => {
    const { seed, zone, openstack, refuse } = setUp()
    await seed.apply()
    if (how === 'is gone') openstack.remove('zone', zone.id)
    else {
      openstack.put('zone', zone.id, { action: 'DELETE', status: 'PENDING' })
      refuse('DELETE', 400, { type: 'bad_request', message: 'Can not update a deleting zone' })
    }
    expect(await seed.remove()).toBeUndefined()
    expect(seed.lines).toContainEqual(
      expect.objectContaining({ message: 'zone no longer exists; nothing to delete', zone: zone.id }),
    )
  })

  test('with credentials of another project fails and forgets nothing', async () => {
    const { seed, sets, useSecret } = setUp()
    await seed.apply()
    await useSecret({ tenantName: 'other', username: 'other', password: 'other-secret' })
    const left = await seed.remove()
    expect(left.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining(`credentials of the project ${projectIdOf('shoots')}`),
    })
    expect(sets()).toHaveLength(1)
  })

  test('with an application credential that is gone fails and forgets nothing', async () => {
    const { seed, sets, useSecret } = setUp()
    await seed.apply()
    await useSecret({ password: '', applicationCredentialID: 'gone', applicationCredentialSecret: 'x' })
    expect((await seed.remove()).lastError.codes).toEqual(['ERR_INFRA_UNAUTHENTICATED'])
    expect(sets()).toHaveLength(1)
  })

  test('removes a record from a zone that only an interrupted step knows', async () => {
    const { seed, zone, openstack, sets } = setUp()
    openstack.faults.add({ service: 'dns', method: 'POST', when: 'after', effect: { kind: 'drop' } })
    await seed.one.create(recordOf())
    await seed.one.step()
    expect(sets()).toHaveLength(1)
    expect(Object((await seed.one.live())?.status).state.zones).toEqual([zone.id])
    expect(await seed.remove()).toBeUndefined()
    expect(sets()).toEqual([])
  })
})
