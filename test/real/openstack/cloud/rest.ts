import { setTimeout as sleep } from 'node:timers/promises'

/** A plain call to a server of OpenStack, without our client: what a suite prepares and looks at. */
export interface PlainCall {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses besides 2xx that are not errors. */
  readonly allowed?: readonly number[]
}

export interface PlainAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes, and a suite reads them as it wants
  readonly json: any
  readonly text: string
}

/** Calls a server once. Throws an Error with the answer if the status is neither 2xx nor allowed. */
export const plain = async (
  method: string,
  url: string,
  { token, body, headers, allowed = [] }: PlainCall = {},
): Promise<PlainAnswer> => {
  const raw = body === undefined || body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(!raw && { 'content-type': 'application/json' }),
      ...(token !== undefined && { 'x-auth-token': token }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok && !allowed.includes(response.status))
    throw new Error(`${method} ${url} was answered with ${response.status}: ${text.slice(0, 500)}`)
  const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, json, text }
}

/** Repeats while a server that has just started answers with an error. Throws the last one after a minute. */
export const whenReady = async <T>(ask: () => Promise<T>): Promise<T> => {
  const until = performance.now() + 60_000
  for (;;)
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(200)
    }
}

export interface PlainUser {
  readonly user: string
  readonly password: string
  readonly domain: string
  readonly project: string
}

export interface PlainSession {
  readonly token: string
  readonly projectId: string
  readonly userId: string
}

/** Logs in with a password. `keystone` is the URL without a version. */
export const plainLogin = async (
  keystone: string,
  { user, password, domain, project }: PlainUser,
): Promise<PlainSession> => {
  const { headers, json } = await plain('POST', `${keystone}/v3/auth/tokens`, {
    body: {
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: user, password, domain: { name: domain } } },
        },
        scope: { project: { name: project, domain: { name: domain } } },
      },
    },
  })
  return {
    token: headers.get('x-subject-token') ?? '',
    projectId: json.token.project.id,
    userId: json.token.user.id,
  }
}
