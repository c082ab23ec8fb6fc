/** Keystone: logins, tokens, and the catalog of services. */

import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import { isRecord, parsedJson, recordOf, stringOf, valueAt } from '../../../../../shared/decode/record-of.ts'
import type { TokenHolder } from '../core/context.ts'
import type { ApplicationCredentialItem, ProjectItem, UserItem } from '../core/items.ts'
import { jsonAnswer, type ServiceAnswer, type ServiceName, type ServiceRequest } from '../core/message.ts'
import { keystoneRefusal, unauthenticated } from '../core/refusal.ts'
import type { CloudStore } from '../core/store.ts'
import { identityId } from './people.ts'

export interface IdentityOptions {
  /** Returns the store of people. */
  readonly store: () => CloudStore
  readonly now: () => Timestamp
  readonly random: (count: number) => Uint8Array
  readonly tokenMs: number
  readonly regions: readonly string[]
  /** The services in the catalog. */
  readonly services: readonly ServiceName[]
}

export interface KeystoneIdentity {
  answer(request: ServiceRequest): ServiceAnswer
  /** Returns the holder of a valid token. */
  holderOf(token: string | undefined): TokenHolder | undefined
  /** Revokes all tokens. */
  revokeTokens(): void
}

interface IssuedToken {
  readonly holder: TokenHolder
  readonly expires: Timestamp
  readonly token: object
}

/** The facts that a login has proved. */
interface ProvedLogin {
  readonly user: UserItem
  readonly project: ProjectItem
  readonly roles: readonly string[]
  readonly credential?: ApplicationCredentialItem
}

/** The paths of the services at the end of their endpoint. */
const catalogNames: Readonly<Record<ServiceName, { readonly type: string; readonly name: string }>> = {
  identity: { type: 'identity', name: 'keystone' },
  network: { type: 'network', name: 'neutron' },
  compute: { type: 'compute', name: 'nova' },
  dns: { type: 'dns', name: 'designate' },
  image: { type: 'image', name: 'glance' },
  'load-balancer': { type: 'load-balancer', name: 'octavia' },
  'object-store': { type: 'object-store', name: 'swift' },
  share: { type: 'sharev2', name: 'manilav2' },
}

export const createIdentity = ({
  store,
  now,
  random,
  tokenMs,
  regions,
  services,
}: IdentityOptions): KeystoneIdentity => {
  const tokens = new Map<string, IssuedToken>()

  const validToken = (id: string | undefined): IssuedToken | undefined => {
    const token = tokens.get(id ?? '')
    return token !== undefined && token.expires > now() ? token : undefined
  }

  const userNamed = (given: unknown): UserItem | undefined => {
    const { id, name, domain } = recordOf(given)
    const ofDomain = stringOf(recordOf(domain).name) || stringOf(recordOf(domain).id)
    return store()
      .all('user')
      .find(user => (id === undefined ? user.name === name && user.domain === ofDomain : user.id === id))
  }

  const projectNamed = (given: unknown): ProjectItem | undefined => {
    const { id, name, domain } = recordOf(given)
    const ofDomain = stringOf(recordOf(domain).name) || stringOf(recordOf(domain).id)
    return store()
      .all('project')
      .find(one => (id === undefined ? one.name === name && one.domain === ofDomain : one.id === id))
  }

  const byPassword = (auth: unknown): ProvedLogin => {
    const given = valueAt(auth, 'identity', 'password', 'user')
    const user = userNamed(given)
    if (user === undefined || user.password !== recordOf(given).password) throw unauthenticated()
    const project = projectNamed(valueAt(auth, 'scope', 'project'))
    const roles = project === undefined ? undefined : user.roles[project.name]
    if (project === undefined || roles === undefined) throw unauthenticated()
    return { user, project, roles }
  }

  const byApplicationCredential = (auth: unknown): ProvedLogin => {
    const given = recordOf(valueAt(auth, 'identity', 'application_credential'))
    const credentials = store().all('applicationCredential')
    let credential: ApplicationCredentialItem | undefined
    if (typeof given.id === 'string') {
      credential = credentials.find(one => one.id === given.id)
      if (credential === undefined)
        throw keystoneRefusal(404, `Could not find Application Credential: ${given.id}.`)
    } else {
      const owner = userNamed(given.user)
      if (owner === undefined) throw unauthenticated()
      credential = credentials.find(one => one.user_id === owner.id && one.name === given.name)
      // Keystone takes the first of an empty list (`keystone/auth/plugins/core.py`).
      if (credential === undefined)
        throw keystoneRefusal(500, 'An unexpected error prevented the server from fulfilling your request.')
    }
    const user = store().get('user', credential.user_id)
    const project = store().get('project', credential.project_id)
    const isOver = credential.expires !== null && credential.expires <= now()
    if (user === undefined || project === undefined || isOver || credential.secret !== given.secret)
      throw unauthenticated()
    if (valueAt(auth, 'scope') !== undefined) throw unauthenticated()
    return { user, project, roles: credential.roles, credential }
  }

  const catalog = (origin: string, project: string): readonly object[] =>
    services.map(service => ({
      ...catalogNames[service],
      id: identityId(`service ${service}`),
      endpoints: regions.flatMap((region, index) =>
        ['public', 'internal', 'admin'].map(kind => ({
          id: identityId(`endpoint ${service} ${region} ${kind}`),
          interface: kind,
          region,
          region_id: region,
          url: endpointUrl(origin, service, project, index === 0 ? '' : `/${region}`),
        })),
      ),
    }))

  const logIn = ({ body, endpoint }: ServiceRequest): ServiceAnswer => {
    const auth = valueAt(parsedJson(body), 'auth')
    const [method] = [valueAt(auth, 'identity', 'methods')].flat()
    if (!isRecord(auth) || typeof method !== 'string')
      throw keystoneRefusal(
        400,
        'Expecting to find auth in request body. The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error.',
      )
    if (method !== 'password' && method !== 'application_credential') throw unauthenticated()
    const login = method === 'password' ? byPassword(auth) : byApplicationCredential(auth)
    const { user, project, roles } = login
    const id = `gAAAAAB${Buffer.from(random(48)).toString('base64url')}`
    const expires = now() + tokenMs
    const domainOf = (name: string) => ({ id: identityId(`domain ${name}`), name })
    const token = {
      methods: [method],
      user: { id: user.id, name: user.name, domain: domainOf(user.domain), password_expires_at: null },
      audit_ids: [id.slice(8, 30)],
      expires_at: keystoneTime(expires),
      issued_at: keystoneTime(now()),
      project: { id: project.id, name: project.name, domain: domainOf(project.domain) },
      is_domain: false,
      roles: roles.map(name => ({ id: identityId(`role ${name}`), name })),
      catalog: catalog(endpoint.replace(/\/identity$/, ''), project.id),
    }
    const holder = { userId: user.id, projectId: project.id, roles, isOperator: false }
    tokens.set(id, { holder, expires, token })
    return jsonAnswer(201, { token }, { 'x-subject-token': id })
  }

  return {
    holderOf: id => validToken(id)?.holder,
    revokeTokens: () => tokens.clear(),
    answer: request => {
      const { method, path, headers, endpoint } = request
      if (path.length === 0) return jsonAnswer(300, { versions: { values: [version(endpoint)] } })
      if (path.length === 1) return jsonAnswer(200, { version: version(endpoint) })
      if (path.join('/') !== 'v3/auth/tokens')
        throw keystoneRefusal(404, `Could not find: /${path.join('/')}.`)
      if (method === 'POST') return logIn(request)
      if (validToken(headers['x-auth-token']) === undefined) throw unauthenticated()
      const subject = headers['x-subject-token'] ?? ''
      const known = validToken(subject)
      if (known === undefined) throw keystoneRefusal(404, `Could not find token: ${subject}.`)
      if (method === 'DELETE') {
        tokens.delete(subject)
        return jsonAnswer(204)
      }
      return jsonAnswer(200, { token: known.token }, { 'x-subject-token': subject })
    },
  }
}

const endpointUrl = (origin: string, service: ServiceName, project: string, region: string): string => {
  const url = `${origin}${region}/${service}`
  switch (service) {
    case 'identity':
      return `${url}/v3`
    case 'compute':
      return `${url}/v2.1`
    case 'object-store':
      return `${url}/v1/AUTH_${project}`
    case 'share':
      return `${url}/v2`
    default:
      return url
  }
}

const keystoneTime = (time: Timestamp): string => `${new Date(time).toISOString().slice(0, -1)}000Z`

const version = (endpoint: string): object => ({
  id: 'v3.14',
  status: 'stable',
  updated: '2020-04-07T00:00:00Z',
  links: [{ rel: 'self', href: `${endpoint}/v3/` }],
  'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
})
