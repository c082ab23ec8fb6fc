import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { uuidOf } from '../core/chosen.ts'
import { createOpenStack } from '../create-openstack.ts'
import { zoneIdOf } from '../furnish.ts'
import { clientOf } from '../testing/client.ts'

const zone = zoneIdOf('example.com.')

const setUp = async () => {
  const clock = virtualClock(0)
  const openstack = createOpenStack({ clock, furnished: true, scale: 1 })
  const { call } = await clientOf(openstack)
  const dns = (method: string, path: string, body?: unknown) => call(method, `/dns/v2/${path}`, body)
  const create = (fields: object) =>
    dns('POST', `zones/${zone}/recordsets`, {
      name: 'a.example.com.',
      type: 'A',
      records: ['1.2.3.4'],
      ttl: 120,
      ...fields,
    })
  return { clock, openstack, dns, create }
}

test('a record set is pending at first, and its values are sorted', async () => {
  const { create, dns, clock } = await setUp()
  const made = await create({ records: ['5.6.7.8', '1.2.3.4'] })
  expect([made.status, made.body]).toMatchObject([
    202,
    { status: 'PENDING', action: 'CREATE', records: ['1.2.3.4', '5.6.7.8'], ttl: 120, description: null },
  ])
  const path = `zones/${zone}/recordsets/${made.body.id}`
  await clock.advance(5_000)
  expect((await dns('GET', path)).body).toMatchObject({ status: 'ACTIVE', action: 'NONE' })
  expect((await dns('PUT', path, { records: ['9.9.9.9'], ttl: 60 })).body).toMatchObject({
    status: 'PENDING',
    action: 'UPDATE',
    records: ['9.9.9.9'],
  })
  expect(await dns('DELETE', path)).toMatchObject({
    status: 202,
    body: { action: 'DELETE', status: 'PENDING' },
  })
  await clock.advance(5_000)
  expect(await dns('GET', path)).toMatchObject({
    status: 404,
    body: { code: 404, type: 'recordset_not_found', message: 'Could not find RecordSet' },
  })
})

test('a value that is no text of a TXT record gives the recorded error', async () => {
  const { create } = await setUp()
  const { status, body } = await create({ type: 'TXT', records: ['hello world'] })
  expect([status, body]).toEqual([
    400,
    {
      code: 400,
      type: 'invalid_object',
      errors: {
        errors: [
          {
            path: ['records', 0],
            message: "'hello world' is not a 'TXT' Record",
            validator: 'format',
            validator_value: ['TXT'],
          },
        ],
      },
      request_id: expect.any(String),
    },
  ])
  expect((await create({ type: 'TXT', records: ['"hello world"'] })).status).toBe(202)
})

describe('a record set is refused', () => {
  test.each([
    [{ type: 'CNAME', records: ['b.example.com'] }, 'invalid_object'],
    [{ type: 'CNAME', records: ['b.example.com.', 'c.example.com.'] }, 'bad_request'],
    [{ name: 'a.example.net.' }, 'invalid_recordset_location'],
    [{ name: 'a.sub.example.com.' }, 'invalid_recordset_location'],
    [{ name: 'a.example.com' }, 'invalid_object'],
    [{ records: ['1.2.3'] }, 'invalid_object'],
    [{ type: 'SOA', records: ['x'] }, 'bad_request'],
  ])('with %j', async (fields, type) => {
    const { create } = await setUp()
    expect((await create(fields)).body.type).toBe(type)
  })
  test('beside a CNAME of the same name, and twice', async () => {
    const { create } = await setUp()
    await create({})
    expect(await create({})).toMatchObject({ status: 409, body: { type: 'duplicate_recordset' } })
    expect((await create({ type: 'CNAME', records: ['b.example.com.'] })).body.message).toBe(
      'CNAME recordsets may not share a name with any other records',
    )
  })
  test('above the quota', async () => {
    const { create, openstack } = await setUp()
    openstack.setQuota('zone_recordsets', 0)
    expect(await create({})).toMatchObject({
      status: 413,
      body: { type: 'over_quota', message: 'Quota exceeded for zone_recordsets.' },
    })
  })
  test('in an unknown zone', async () => {
    const { dns } = await setUp()
    expect((await dns('GET', `zones/${uuidOf('none')}/recordsets`)).body).toMatchObject({
      type: 'zone_not_found',
    })
    expect((await dns('GET', 'zones/none/recordsets')).body).toMatchObject({ type: 'invalid_uuid' })
    const path = `zones/${uuidOf('none')}/recordsets`
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await dns(method, `${path}/${uuidOf('none')}`, { ttl: 60 })).body, method).toMatchObject({
        type: 'recordset_not_found',
      })
    const record = { name: 'a.example.com.', type: 'A' }
    expect((await dns('POST', path, { ...record, records: ['x'] })).body.type).toBe('invalid_object')
    expect((await dns('POST', path, { ...record, records: ['1.2.3.4'] })).body.type).toBe('zone_not_found')
  })
})

test('a star in a filter stands for any text', async () => {
  const { create, dns } = await setUp()
  await create({ name: '*.in.example.com.' })
  await create({ name: 'x.in.example.com.' })
  const names = async (query: string) =>
    ((await dns('GET', `zones/${zone}/recordsets?${query}`)).body.recordsets as readonly object[]).length
  expect([await names('name=*.in.example.com.&type=A'), await names('name=x.in.example.com.')]).toEqual([
    2, 1,
  ])
})

test('a list has pages of 20 with links', async () => {
  const { create, dns } = await setUp()
  for (let index = 0; index < 25; index++) await create({ name: `a${index}.example.com.` })
  const { body } = await dns('GET', `zones/${zone}/recordsets`)
  const { next } = body.links as { readonly next: string }
  // Two record sets are those of the zone.
  expect(body).toMatchObject({ metadata: { total_count: 27 } })
  const rest = await dns('GET', next.replace(/^.*\/v2\//, ''))
  expect((rest.body.recordsets as readonly object[]).length).toBe(7)
  expect(rest.body.links).not.toHaveProperty('next')
})
