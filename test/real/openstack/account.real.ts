import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { systemClock } from '../../../shared/clock/clock.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import {
  connectionOf,
  createAccess,
  listAll,
  type OpenStackAccess,
  type OpenStackConnection,
  withCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { freePort } from '../free-port.ts'
import { describeWith } from '../with-part.ts'
import { newProject } from './cloud/new-project.ts'
import { plain, plainLogin } from './cloud/rest.ts'
import { admin, applicationCredential, secretData, userCalled } from './cloud/seed.ts'
import { type RunningCloud, startCloud } from './cloud/start-cloud.ts'

const networksSchema = z.object({ networks: z.array(z.object({ id: z.string(), name: z.string() })) })

describeWith('openstack', 'the client of OpenStack', programs => {
  let cloud: RunningCloud
  beforeAll(async () => {
    // Services ask Keystone about each token, so that a revoked one is refused at once.
    cloud = await startCloud(programs, { services: ['network', 'key-pairs'], tokenCacheSeconds: -1 })
  })
  afterAll(() => cloud?.close())

  const gardener = () => secretData(cloud.authUrl, userCalled('gardener'))
  interface OpenOptions {
    readonly region?: string
    readonly connection?: OpenStackConnection
  }
  const open = (
    data: Readonly<Record<string, string>>,
    { region = 'RegionOne', connection }: OpenOptions = {},
  ) => {
    const logins: string[] = []
    const inner = connection ?? connectionOf({})
    const access = createAccess(
      {
        ...inner,
        onRequest: ({ service, status }) => {
          if (service === 'identity') logins.push(status)
        },
      },
      systemClock,
    )({
      secret: { name: 'cloudprovider', namespace: 'shoot--a--b', labels: {}, data },
      region,
      signal: new AbortController().signal,
      throwIfExpired: () => {},
    })
    return { access, logins }
  }
  const networks = (access: OpenStackAccess) =>
    access.call({
      service: 'network',
      method: 'GET',
      path: ['networks'],
      answer: networksSchema,
      doing: 'listing networks',
    })
  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => {
        throw new Error('expected an error')
      },
      (thrown: unknown) => thrown,
    )
    return { codes: codesOf(withCodes(error)), message: messageOf(error) }
  }
  const credentialId = async () => {
    const { token, userId } = await cloud.login('gardener')
    const { json } = await plain('GET', `${cloud.authUrl}/users/${userId}/application_credentials`, { token })
    return json.application_credentials[0].id as string
  }
  const { name: applicationCredentialName, secret: applicationCredentialSecret } = applicationCredential
  const withoutPassword = () => {
    const { password: _, ...data } = gardener()
    return data
  }

  test('a password logs in, once for calls at the same time, with and without the version in the URL', async () => {
    for (const authURL of [cloud.authUrl, `${cloud.authUrl}/`, cloud.url('identity')]) {
      const { access, logins } = open({ ...gardener(), authURL })
      const [{ networks: seen }, projectId] = await Promise.all([
        networks(access),
        access.projectId(),
        networks(access),
      ])
      expect(seen.map(({ name }) => name)).toContain('public')
      expect(projectId).toBe((await cloud.login('gardener')).projectId)
      expect(logins).toEqual(['201'])
    }
  })

  test('an application credential logs in by its id, and by its name with the user', async () => {
    const { username: _, ...withoutUser } = withoutPassword()
    const forms = [
      { ...withoutUser, applicationCredentialID: await credentialId(), applicationCredentialSecret },
      { ...withoutPassword(), applicationCredentialName, applicationCredentialSecret },
    ]
    for (const data of forms) {
      const { access, logins } = open(data)
      expect((await networks(access)).networks.length).toBeGreaterThan(0)
      expect(logins).toEqual(['201'])
    }
  })

  test('an expired application credential is refused', async () => {
    const { token, userId } = await cloud.login('gardener')
    const expires_at = new Date(Date.now() + 3_000).toISOString().slice(0, -1)
    const { json } = await plain('POST', `${cloud.authUrl}/users/${userId}/application_credentials`, {
      token,
      body: { application_credential: { name: 'short', secret: 'short-secret', expires_at } },
    })
    const data = {
      ...withoutPassword(),
      applicationCredentialID: json.application_credential.id,
      applicationCredentialSecret: 'short-secret',
    }
    await expect
      .poll(
        () =>
          open(data)
            .access.projectId()
            .then(() => 'logs in', messageOf),
        { timeout: 60_000 },
      )
      .toMatch(/Unauthorized|authentication/i)
    expect(await failure(open(data).access.projectId())).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
  })

  describe('bad input has the code of the Go extension', () => {
    test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
      ['a wrong password', { password: 'wrong' }, ['ERR_INFRA_UNAUTHORIZED']],
      ['an unknown project', { tenantName: 'nope' }, ['ERR_INFRA_UNAUTHORIZED']],
      ['an unknown domain', { domainName: 'nope' }, ['ERR_INFRA_UNAUTHORIZED']],
      ['an unknown user', { username: 'nope' }, ['ERR_INFRA_UNAUTHORIZED']],
    ])('%s', async (_, changed, codes) => {
      const failed = await failure(open({ ...gardener(), ...changed }).access.projectId())
      expect(failed.codes).toEqual(codes)
      expect(failed.message).not.toContain('secret')
    })

    test('an unknown application credential, and a wrong secret of a known one', async () => {
      const data = { ...withoutPassword(), applicationCredentialSecret }
      const unknown = { ...data, applicationCredentialID: '0123456789abcdef0123456789abcdef' }
      expect((await failure(open(unknown).access.projectId())).codes).toEqual(['ERR_INFRA_UNAUTHENTICATED'])
      const wrong = {
        ...data,
        applicationCredentialID: await credentialId(),
        applicationCredentialSecret: 'wrong',
      }
      expect((await failure(open(wrong).access.projectId())).codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    })

    test('a region that does not exist, with the ones that do', async () => {
      const failed = await failure(networks(open(gardener(), { region: 'RegionTwo' }).access))
      expect(failed).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
      expect(failed.message).toContain('RegionOne')
    })

    test('a catalog without the service', async () => {
      const { access } = open(gardener())
      expect(await access.has('dns')).toBe(false)
      const failed = await failure(
        access.call({ service: 'dns', method: 'GET', path: ['zones'], doing: 'listing zones' }),
      )
      expect(failed).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
      expect(failed.message).toContain('dns')
    })

    test('a member may not select the address of a router, and a reader may not create anything', async () => {
      const create = (
        data: Readonly<Record<string, string>>,
        service: 'network',
        path: string,
        body: object,
      ) => failure(open(data).access.call({ service, method: 'POST', path: [path], body, doing: 'creating' }))
      const reader = secretData(cloud.authUrl, userCalled('reader'))
      expect(await create(reader, 'network', 'networks', { network: { name: 'x' } })).toMatchObject({
        codes: ['ERR_INFRA_UNAUTHORIZED'],
      })
      const [external] = (await networks(open(gardener()).access)).networks.filter(
        ({ name }) => name === 'public',
      )
      const plainUser = secretData(cloud.authUrl, userCalled('plain'))
      const router = { name: 'x', external_gateway_info: { network_id: external?.id, enable_snat: false } }
      expect(await create(plainUser, 'network', 'routers', { router })).toMatchObject({
        codes: ['ERR_INFRA_UNAUTHORIZED'],
      })
    })

    test('a Keystone that does not listen has no code, because only time can help', async () => {
      const failed = await failure(
        open({ ...gardener(), authURL: `http://127.0.0.1:${await freePort()}/v3` }).access.projectId(),
      )
      expect(failed.codes).toEqual([])
      expect(failed.message).toContain('ECONNREFUSED')
    })
  })

  test.each([200, 403, 502])(
    'a proxy that answers with HTML and status %i is named as such',
    async status => {
      const proxy = createServer((_, response) => {
        response
          .writeHead(status, { 'content-type': 'text/html' })
          .end('<html><body>Please log in</body></html>')
      }).listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      try {
        const { port } = proxy.address() as AddressInfo
        const failed = await failure(
          open({ ...gardener(), authURL: `http://127.0.0.1:${port}/v3` }).access.projectId(),
        )
        expect(failed.codes).toEqual([])
        expect(failed.message).toMatch(/proxies and endpoints/)
      } finally {
        proxy.close()
      }
    },
  )

  test('lists are read over all pages, each item once', async () => {
    const project = await newProject(cloud, 'pages')
    const { access } = open(secretData(cloud.authUrl, project))
    const names = Array.from({ length: 5 }, (_, index) => `page-${index}`)
    for (const name of names)
      await access.call({
        service: 'network',
        method: 'POST',
        path: ['networks'],
        body: { network: { name } },
        doing: `creating network ${name}`,
      })
    let requests = 0
    const inner = connectionOf({})
    const counted = open(secretData(cloud.authUrl, project), {
      connection: {
        ...inner,
        send: request => {
          requests++
          return inner.send(request)
        },
      },
    })
    const listed = await listAll(counted.access, {
      service: 'network',
      path: ['networks'],
      query: { limit: 2, project_id: project.projectId },
      member: 'networks',
      item: z.object({ id: z.string(), name: z.string() }),
      idOf: ({ id }) => id,
      doing: 'listing networks',
    })
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names)
    // A login and at least three pages.
    expect(requests).toBeGreaterThanOrEqual(4)
  })

  test('a revoked token is replaced once, without an error', async () => {
    const inner = connectionOf({})
    let token: string | undefined
    const { access, logins } = open(gardener(), {
      connection: {
        ...inner,
        send: request => {
          token = request.headers['x-auth-token'] ?? token
          return inner.send(request)
        },
      },
    })
    await networks(access)
    const former = String(token)
    const operator = await plainLogin(cloud.url('identity'), admin)
    await plain('DELETE', `${cloud.authUrl}/auth/tokens`, {
      token: operator.token,
      headers: { 'x-subject-token': former },
    })
    await networks(access)
    expect(logins).toEqual(['201', '201'])
    expect(token).not.toBe(former)
  })

  test('a microversion is sent, and a cloud without it is said to be too old', async () => {
    const { access } = open(gardener())
    const keyPair = (version: string) =>
      access.call({
        service: 'compute',
        method: 'GET',
        path: ['os-keypairs'],
        headers: { 'openstack-api-version': `compute ${version}` },
        answer: z.object({ keypairs: z.array(z.unknown()) }),
        doing: 'listing key pairs',
      })
    expect((await keyPair('2.15')).keypairs).toEqual([])
    expect((await failure(keyPair('2.999'))).message).toMatch(/2\.999/)
  })
})
