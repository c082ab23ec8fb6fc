import type { SimulatedOpenStack } from '../create-openstack.ts'

/** An answer with its decoded body. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface TestClient {
  readonly token: string
  /** `path`: `/network/v2.0/networks`. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>
}

const origin = 'http://openstack.example.com'

export const send = async (
  { connection }: Pick<SimulatedOpenStack, 'connection'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> => {
  const answer = await connection.send({
    method: method as 'GET',
    url: path.startsWith('http') ? path : `${origin}${path}`,
    headers: { accept: 'application/json', ...headers },
    tls: {},
    signal: new AbortController().signal,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const isJson = /^[[{]/.test(answer.body)
  return { ...answer, body: isJson ? JSON.parse(answer.body) : {}, text: answer.body }
}

export const passwordOf = (name: string, password = `${name}-secret`, project = 'shoots') => {
  const domain = { name: 'acme' }
  return {
    auth: {
      identity: { methods: ['password'], password: { user: { name, domain, password } } },
      scope: { project: { name: project, domain } },
    },
  }
}

/** Logs in with a user of the simulator. */
export const clientOf = async (
  openstack: Pick<SimulatedOpenStack, 'connection'>,
  user = 'gardener',
  project = 'shoots',
): Promise<TestClient> => {
  const login = await send(
    openstack,
    'POST',
    '/identity/v3/auth/tokens',
    passwordOf(user, `${user}-secret`, project),
  )
  const token = login.headers['x-subject-token'] ?? ''
  return {
    token,
    call: (method, path, body, headers) =>
      send(openstack, method, path, body, { 'x-auth-token': token, ...headers }),
  }
}
