import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createOpenStack } from '../create-openstack.ts'
import { projectIdOf } from '../identity/people.ts'
import { clientOf } from '../testing/client.ts'

const setUp = async (user = 'gardener') => {
  const openstack = createOpenStack({ clock: virtualClock(0) })
  const { call } = await clientOf(openstack, user)
  const swift = (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
    call(method, `/object-store/v1/AUTH_${projectIdOf('shoots')}${path}`, body, headers)
  return { openstack, swift }
}

test('a container is created again, and deleted only when it is empty', async () => {
  const { swift } = await setUp()
  expect((await swift('PUT', '/c')).status).toBe(201)
  expect((await swift('PUT', '/c')).status).toBe(202)
  expect((await swift('PUT', '/c/a/b', 'text')).status).toBe(201)
  const refused = await swift('DELETE', '/c')
  expect([refused.status, refused.text]).toEqual([
    409,
    '<html><h1>Conflict</h1><p>There was a conflict when trying to complete your request.</p></html>',
  ])
  expect(refused.headers['x-trans-id']).toMatch(/^tx/)
  expect((await swift('GET', '/c/a/b')).text).toBe('text')
  expect((await swift('DELETE', '/c/a/b')).status).toBe(204)
  expect([(await swift('DELETE', '/c')).status, (await swift('DELETE', '/c')).status]).toEqual([204, 404])
})

test('a list has pages by marker, a prefix, and both forms', async () => {
  const { swift, openstack } = await setUp()
  for (const name of ['b/2', 'a/1', 'b/1', 'top']) openstack.addObject('c', name)
  const lines = { accept: 'text/plain' }
  expect((await swift('GET', '/c?limit=2', undefined, lines)).text).toBe('a/1\nb/1\n')
  expect((await swift('GET', '/c?marker=b%2F1', undefined, lines)).text).toBe('b/2\ntop\n')
  expect((await swift('GET', '/c?prefix=b%2F', undefined, lines)).text).toBe('b/1\nb/2\n')
  expect(JSON.parse((await swift('GET', '/c?delimiter=/')).text)).toMatchObject([
    { subdir: 'a/' },
    { subdir: 'b/' },
    { name: 'top' },
  ])
})

test('a bulk deletion reports each object that was not deleted', async () => {
  const { swift, openstack } = await setUp()
  openstack.addObject('c', 'a b')
  openstack.addObject('c', 'locked', '', '403 Forbidden')
  const { status, body } = await swift('POST', '/?bulk-delete=true', 'c/a%20b\nc/locked\nc/none\n')
  expect([status, body]).toEqual([
    200,
    {
      'Number Deleted': 1,
      'Number Not Found': 1,
      'Response Status': '400 Bad Request',
      'Response Body': '',
      Errors: [['c/locked', '403 Forbidden']],
    },
  ])
  expect(openstack.resources('object').map(({ name }) => name)).toEqual(['locked'])
})

test('a reader changes nothing, and another project sees nothing', async () => {
  const reader = await setUp('reader')
  expect((await reader.swift('PUT', '/c')).status).toBe(403)
  expect((await reader.swift('GET', '')).status).toBe(200)
  const { openstack } = await setUp()
  const { call } = await clientOf(openstack, 'other', 'other')
  expect((await call('GET', `/object-store/v1/AUTH_${projectIdOf('shoots')}`)).status).toBe(403)
})
