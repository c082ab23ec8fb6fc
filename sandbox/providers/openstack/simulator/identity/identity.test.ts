import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createOpenStack, type OpenStackOptions } from '../create-openstack.ts'
import { clientOf, passwordOf, send } from '../testing/client.ts'
import { applicationCredential, identityId, userIdOf } from './people.ts'

const setUp = (options: Partial<OpenStackOptions> = {}) => {
  const clock = virtualClock(0)
  return { clock, openstack: createOpenStack({ clock, ...options }) }
}

const refused = {
  status: 401,
  body: {
    error: {
      code: 401,
      message: 'The request you have made requires authentication.',
      title: 'Unauthorized',
    },
  },
}

test.each([
  ['a wrong password', passwordOf('gardener', 'wrong')],
  ['an unknown user', passwordOf('unknown')],
  ['an unknown project', passwordOf('gardener', 'gardener-secret', 'none')],
  ['a project without a role', passwordOf('gardener', 'gardener-secret', 'other')],
])('%s gives the recorded error', async (_, body) => {
  const { openstack } = setUp()
  expect(await send(openstack, 'POST', '/identity/v3/auth/tokens', body)).toMatchObject(refused)
})

const byCredential = (credential: object) => ({
  auth: { identity: { methods: ['application_credential'], application_credential: credential } },
})

test('an application credential logs in by id and by name', async () => {
  const { openstack } = setUp()
  const logIn = (credential: object) =>
    send(openstack, 'POST', '/identity/v3/auth/tokens', byCredential(credential))
  const { id, name, secret } = applicationCredential
  expect((await logIn({ id, secret })).status).toBe(201)
  const user = { name: 'gardener', domain: { name: 'acme' } }
  expect((await logIn({ name, secret, user })).body.token).toMatchObject({
    user: { id: userIdOf('gardener') },
  })
  expect(await logIn({ id, secret: 'wrong' })).toMatchObject(refused)
  expect((await logIn({ id: identityId('none'), secret })).body).toEqual({
    error: {
      code: 404,
      message: `Could not find Application Credential: ${identityId('none')}.`,
      title: 'Not Found',
    },
  })
  openstack.put('applicationCredential', id, { expires: 0 })
  expect(await logIn({ id, secret })).toMatchObject(refused)
})

test('a token ends with its time, and when it is revoked', async () => {
  const { openstack, clock } = setUp({ tokenMs: 60_000 })
  const first = await clientOf(openstack)
  expect((await first.call('GET', '/network/v2.0/networks')).status).toBe(200)
  await clock.advance(60_000)
  expect(await first.call('GET', '/network/v2.0/networks')).toMatchObject(refused)
  const second = await clientOf(openstack)
  openstack.revokeTokens()
  expect(await second.call('GET', '/compute/v2.1/servers')).toMatchObject(refused)
  expect((await second.call('GET', '/object-store/v1/AUTH_a')).text).toContain('<h1>Unauthorized</h1>')
})

test('the catalog names the host of the request, and only the services of the cloud', async () => {
  const { openstack } = setUp({ services: ['identity', 'network'], regions: ['one', 'two'] })
  const { url, close } = await openstack.listen({ port: 0 })
  const response = await fetch(`${url}/identity/v3/auth/tokens`, {
    method: 'POST',
    body: JSON.stringify(passwordOf('gardener')),
  })
  const { token } = (await response.json()) as { readonly token: { readonly catalog: readonly object[] } }
  await close()
  expect(token.catalog).toMatchObject([
    { type: 'identity' },
    {
      type: 'network',
      endpoints: expect.arrayContaining([expect.objectContaining({ url: `${url}/network` })]),
    },
  ])
  expect(JSON.stringify(token.catalog)).toContain(`${url}/two/network`)
})

test('regions have their own resources', async () => {
  const { openstack } = setUp({ regions: ['one', 'two'] })
  const { call } = await clientOf(openstack)
  await call('POST', '/two/network/v2.0/networks', { network: { name: 'a' } })
  expect(openstack.resources('network', 'two').map(({ name }) => name)).toEqual(['a'])
  expect(openstack.resources('network', 'one')).toEqual([])
})

test('a reader may read and nothing else', async () => {
  const { openstack } = setUp({ furnished: true })
  const { call } = await clientOf(openstack, 'reader')
  expect((await call('GET', '/network/v2.0/networks')).status).toBe(200)
  for (const [path, body] of [
    ['/network/v2.0/networks', { network: {} }],
    ['/compute/v2.1/os-server-groups', { server_group: {} }],
    ['/dns/v2/zones', { name: 'a.net.' }],
    ['/load-balancer/v2.0/lbaas/loadbalancers', { loadbalancer: {} }],
  ] as const)
    expect((await call('POST', path, body)).status).toBe(403)
})
