import type { OpenStackAnswer, OpenStackConnection, OpenStackRequest } from '../client/connection.ts'

/** An answer of a scripted cloud. Without a status: 200. An error is thrown in place of an answer. */
export type ScriptedAnswer = Partial<Omit<OpenStackAnswer, 'body'>> & { readonly body?: unknown }

export const region = 'RegionOne'

const services = {
  network: 'http://cloud.test:9696',
  compute: 'http://cloud.test:8774/v2.1',
  dns: 'http://cloud.test:9001',
  'load-balancer': 'http://cloud.test:9876',
  'object-store': 'http://cloud.test:8080/v1/AUTH_1',
}

/** The answer of Keystone to a login. `number`: that of the login. */
export const tokenAnswer = (number: number, expires = '2030-01-01T00:00:00.000000Z'): ScriptedAnswer => ({
  status: 201,
  headers: { 'x-subject-token': `token-${number}` },
  body: {
    token: {
      expires_at: expires,
      user: { id: 'user-1' },
      project: { id: 'project-1' },
      catalog: Object.entries(services).map(([type, url]) => ({
        type,
        endpoints: [
          { interface: 'internal', region_id: region, url: 'http://inside.test' },
          { interface: 'public', region_id: region, url },
        ],
      })),
    },
  },
})

/** A cloud that accepts every login, and answers other requests from a script, in order; the last one repeats. */
export const scriptedCloud = (
  script: readonly (ScriptedAnswer | Error)[],
  { expires }: { readonly expires?: string } = {},
) => {
  const requests: OpenStackRequest[] = []
  const state = { logins: 0, served: 0 }
  const connection: OpenStackConnection = {
    send: async request => {
      requests.push(request)
      const isLogin = request.url.endsWith('/v3/auth/tokens')
      if (isLogin) state.logins++
      const answer = isLogin
        ? tokenAnswer(state.logins, expires)
        : script[Math.min(state.served++, script.length - 1)]
      if (answer instanceof Error) throw answer
      const { status = 200, headers = {}, body = '' } = answer ?? {}
      const isText = typeof body === 'string'
      return {
        status,
        headers: { ...(!isText && { 'content-type': 'application/json' }), ...headers },
        body: isText ? body : JSON.stringify(body),
      }
    },
  }
  return {
    connection,
    requests,
    /** Method and path of each request after the login. */
    calls: () =>
      requests
        .filter(({ url }) => !url.endsWith('/auth/tokens'))
        .map(({ method, url }) => `${method} ${new URL(url).pathname}${new URL(url).search}`),
    logins: () => state.logins,
  }
}

export const passwordSecret = (data: Readonly<Record<string, string>> = {}) => ({
  name: 'cloudprovider',
  namespace: 'shoot--a--b',
  labels: {},
  data: {
    domainName: 'acme',
    tenantName: 'shoots',
    username: 'gardener',
    password: 'very-secret',
    authURL: 'http://cloud.test:5000/v3',
    ...data,
  },
})
