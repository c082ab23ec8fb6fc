import { describe, expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { tokenAnswer } from '../../../terraform-free-infra/openstack/account/testing/scripted-cloud.ts'
import { credentialGone } from '../provider/testing/served-cloud.ts'
import { designateCloud } from './testing/designate-cloud.ts'
import { recordOf, recordSeed } from './testing/record-seed.ts'

const setUp = (names?: readonly string[]) => {
  const designate = designateCloud(names)
  const [zone] = designate.zones
  if (zone === undefined) throw new Error('no zone')
  return { ...designate, zone, sets: designate.sets, seed: recordSeed(designate) }
}

const setGone = {
  status: 404,
  body: { code: 404, type: 'recordset_not_found', message: 'Could not find RecordSet' },
}

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
    expect(status).toMatchObject({ zone: zone.id, state: { zones: [zone.id], project: 'project-1' } })
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

  test('is not in a zone that Designate deletes', async () => {
    const { seed, zone, addZone } = setUp()
    addZone('api.example.com.', { action: 'DELETE' })
    expect((await seed.apply()).zone).toBe(zone.id)
  })

  test('whose zone has a namesake is in the one with the lower id, and says so until spec.zone decides', async () => {
    const { seed, zones, addZone, sets } = setUp()
    addZone('example.com.')
    const [first, second] = zones.map(({ id }) => id).sort()
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
    [{}, 'cloud.test:9001'],
    [{ region: 'RegionTwo' }, 'two.test:9001'],
  ])('with %j is written at %s (D2)', async (spec, host) => {
    const { seed, faults, hosts } = setUp()
    const login = JSON.parse(JSON.stringify(tokenAnswer(1)))
    const { endpoints } = login.body.token.catalog.find((entry: { type: string }) => entry.type === 'dns')
    endpoints.push({ interface: 'public', region_id: 'RegionTwo', url: 'http://two.test:9001' })
    faults.push({ call: 'login', answer: login })
    expect((await seed.apply(spec)).lastOperation.state).toBe('Succeeded')
    expect([...hosts]).toEqual(['cloud.test:5000', host])
  })

  test('with another spec.zone leaves its former zone', async () => {
    const { seed, zone, addZone, sets } = setUp()
    await seed.apply()
    const other = addZone('api.example.com.')
    const status = await seed.apply({ zone: other.id })
    expect(status).toMatchObject({ zone: other.id, state: { zones: [other.id] } })
    expect([zone.sets, other.sets.length, sets().length]).toEqual([[], 1, 1])
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

  test.each<[string, object, string, string]>([
    [
      'quota',
      { code: 413, type: 'over_quota', message: 'Quota exceeded for zone_recordsets.' },
      'ERR_INFRA_QUOTA_EXCEEDED',
      'creating A api.example.com. in zone',
    ],
    [
      'policy',
      { code: 403, type: 'forbidden', message: 'Forbidden: create_recordset' },
      'ERR_INFRA_UNAUTHORIZED',
      'Forbidden: create_recordset',
    ],
    [
      'value',
      {
        code: 400,
        type: 'invalid_object',
        errors: {
          errors: [{ path: ['records', 0], message: "'x' is not a 'A' Record", validator: 'format' }],
        },
      },
      'ERR_CONFIGURATION_PROBLEM',
      "invalid_object: records.0: 'x' is not a 'A' Record",
    ],
  ])('by %s with a code and the words of Designate (D8)', async (_, body, code, text) => {
    const { seed, faults } = setUp()
    const answer = { status: Number(Object(body).code), body }
    faults.push(...Array.from({ length: 40 }, () => ({ call: 'POST zones', answer })))
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
    const { seed, zone, addSet, faults } = setUp()
    addSet(zone, { records: ['9.9.9.9'] })
    faults.push(...Array.from({ length: 3 }, () => ({ call: 'PUT', answer: setGone })))
    await seed.one.create(recordOf())
    await seed.one.step()
    const { description } = Object((await seed.one.live())?.status).lastError
    expect(description).toContain('changing A api.example.com.')
    expect(description).not.toContain('spec.zone')
    expect((await seed.apply()).lastOperation.state).toBe('Succeeded')
  })
})

describe('a record waits', () => {
  test('for the end of the deletion of a former record set, and is created then', async () => {
    const { seed, zone, addSet, sets } = setUp()
    const former = addSet(zone, { action: 'DELETE', status: 'PENDING' })
    await seed.one.create(recordOf())
    const waits = await seed.one.run({
      until: () => {
        if (seed.requests.length > 40) zone.sets = zone.sets.filter(set => set !== former)
        return false
      },
    })
    expect(waits[0]).toContain('Waiting until Designate has deleted the former record set A api.example.com.')
    expect(sets()).toEqual(['A api.example.com. 120 1.2.3.4'])
    expect(zone.sets[0]?.id).not.toBe(former.id)
  })

  test('also if only the refusal of its creation shows that deletion', async () => {
    const { seed, zone, faults } = setUp()
    const duplicate = {
      status: 409,
      body: { code: 409, type: 'duplicate_recordset', message: 'Duplicate RecordSet' },
    }
    faults.push(...Array.from({ length: 3 }, () => ({ call: 'POST', answer: duplicate })))
    const { lastOperation } = await seed.apply()
    expect(lastOperation.state).toBe('Succeeded')
    expect(zone.sets).toHaveLength(1)
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
    const { seed, zone, faults } = setUp()
    await seed.apply()
    faults.push({ call: 'DELETE', answer: setGone, applies: true })
    expect(await seed.remove()).toBeUndefined()
    expect(zone.sets).toEqual([])
  })

  test('does not repeat a deletion that Designate has begun', async () => {
    const { seed, zone, calls } = setUp()
    await seed.apply()
    Object.assign(zone.sets[0] ?? {}, { action: 'DELETE', status: 'PENDING' })
    expect(await seed.remove()).toBeUndefined()
    expect(calls.filter(isWrite)).toEqual([])
  })

  test.each(['is gone', 'is being deleted'])('succeeds if the zone %s (D9)', async how => {
    const { seed, zone, zones } = setUp()
    await seed.apply()
    if (how === 'is gone') zones.splice(0)
    else zone.action = 'DELETE'
    expect(await seed.remove()).toBeUndefined()
    expect(seed.lines).toContainEqual(
      expect.objectContaining({ message: 'zone no longer exists; nothing to delete', zone: zone.id }),
    )
  })

  test('with credentials of another project fails and forgets nothing', async () => {
    const { seed, zone, state } = setUp()
    await seed.apply()
    state.project = 'project-2'
    seed.restart()
    const left = await seed.remove()
    expect(left.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining('credentials of the project project-1'),
    })
    expect(zone.sets).toHaveLength(1)
  })

  test('with an application credential that is gone fails and forgets nothing', async () => {
    const { seed, zone, faults } = setUp()
    await seed.apply()
    seed.restart()
    faults.push(...Array.from({ length: 40 }, () => ({ call: 'login', answer: credentialGone })))
    expect((await seed.remove()).lastError.codes).toEqual(['ERR_INFRA_UNAUTHENTICATED'])
    expect(zone.sets).toHaveLength(1)
  })

  test('removes a record from a zone that only an interrupted step knows', async () => {
    const { seed, zone, faults, sets } = setUp()
    faults.push({ call: 'POST', answer: new Error('socket hang up'), applies: true })
    await seed.one.create(recordOf())
    await seed.one.step()
    expect(sets()).toHaveLength(1)
    expect(Object((await seed.one.live())?.status).state.zones).toEqual([zone.id])
    expect(await seed.remove()).toBeUndefined()
    expect(sets()).toEqual([])
  })
})
