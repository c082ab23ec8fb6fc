import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import type { OpenStackCredentials } from '../credentials/read-credentials.ts'
import { type Endpoints, endpointsOf, tokenSchema, withoutSlashes } from './catalog.ts'
import type { SendCall } from './send-call.ts'

/** A login: a token and what it gives access to. */
export interface Session {
  readonly token: string
  readonly expires: Timestamp
  readonly userId: string
  readonly projectId: string
  readonly endpoints: Endpoints
}

/** The logins of a process. */
export interface SignIn {
  /** Returns the known session, or logs in. Concurrent calls share one login. */
  session(login: Login): Promise<Session>
  /** Forgets a session that a service has refused. The next call logs in again. */
  refused(login: Login, session: Session): void
}

/** The input of a login. */
export interface Login {
  readonly credentials: OpenStackCredentials
  /** With `/v3` at the end. */
  readonly authUrl: string
  /** Equal for equal credentials at an equal URL, without revealing them. */
  readonly fingerprint: string
  readonly send: SendCall
  readonly signal: AbortSignal
}

/** A session is not used for another step if it ends within this time, in ms. */
const expiryMargin = 2 * 60_000

/** The most sessions of a process. Each has about 2 KB. */
const mostSessions = 2_000

export const fingerprintOf = (credentials: OpenStackCredentials, authUrl: string): string =>
  createHash('sha256')
    .update(JSON.stringify([authUrl, credentials]))
    .digest('hex')

/** Returns the URL of Keystone's API v3. Secrets also have it without a version, or with that of the former API. */
export const versionedAuthUrl = (url: string): string => {
  const plain = withoutSlashes(url).replace(/\/v2\.0$/, '')
  return plain.endsWith('/v3') ? plain : `${plain}/v3`
}

export const createSignIn = (clock: Clock): SignIn => {
  const sessions = new Map<string, Session>()
  const running = new Map<string, Promise<Session>>()

  const logIn = async ({ credentials, authUrl, send }: Login): Promise<Session> => {
    const { value, headers } = await send({
      service: 'identity',
      method: 'POST',
      url: `${authUrl}/auth/tokens`,
      operation: 'POST auth/tokens',
      doing: `logging in to project ${credentials.tenantName}`,
      body: { auth: authOf(credentials) },
      answer: tokenSchema,
      headers: {},
      // A login changes nothing in the cloud.
      isRead: true,
    })
    const token = headers['x-subject-token']
    if (!token)
      throw new Error(`logging in to project ${credentials.tenantName}: Keystone answered without a token`)
    return {
      token,
      expires: Date.parse(value.token.expires_at),
      userId: value.token.user.id,
      projectId: value.token.project?.id ?? '',
      endpoints: endpointsOf(value),
    }
  }

  return {
    session: async login => {
      const { fingerprint } = login
      const now = clock.now()
      const known = sessions.get(fingerprint)
      if (known !== undefined && known.expires - expiryMargin > now) return known
      const started = running.get(fingerprint)
      // Another step's login fails with the end of that step; then this step logs in itself.
      if (started !== undefined) {
        const shared = await started.catch(() => undefined)
        login.signal.throwIfAborted()
        if (shared !== undefined) return shared
      }
      const work = logIn(login)
      running.set(fingerprint, work)
      try {
        const session = await work
        for (const [other, { expires }] of sessions) if (expires - expiryMargin <= now) sessions.delete(other)
        const [oldest] = sessions.keys()
        if (sessions.size >= mostSessions && oldest !== undefined) sessions.delete(oldest)
        sessions.set(fingerprint, session)
        return session
      } finally {
        if (running.get(fingerprint) === work) running.delete(fingerprint)
      }
    },
    refused: ({ fingerprint }, session) => {
      if (sessions.get(fingerprint)?.token === session.token) sessions.delete(fingerprint)
    },
  }
}

/** The body of a login. An application credential has its own scope. */
const authOf = (credentials: OpenStackCredentials): object => {
  const domain = { name: credentials.domainName }
  switch (credentials.kind) {
    case 'password':
      return {
        identity: {
          methods: ['password'],
          password: { user: { name: credentials.username, domain, password: credentials.password } },
        },
        scope: { project: { name: credentials.tenantName, domain } },
      }
    case 'application-credential':
      return applicationCredential({ id: credentials.id, secret: credentials.secret })
    case 'named-application-credential':
      return applicationCredential({
        name: credentials.name,
        secret: credentials.secret,
        user: { name: credentials.username, domain },
      })
  }
}

const applicationCredential = (credential: object): object => ({
  identity: { methods: ['application_credential'], application_credential: credential },
})

/** For answers without a body, or with one that is not read. */
export const noAnswer = z.unknown()
