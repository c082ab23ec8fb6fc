import type * as z from 'zod'
import type { Clock } from '../../../../shared/clock/clock.ts'
import { type CodedError, configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import { createRequestPace } from '../../../cloud/request-pace.ts'
import {
  type ReadCredentialsOptions,
  readCredentials,
  secretValuesOf,
} from '../credentials/read-credentials.ts'
import { OpenStackError } from '../errors/openstack-error.ts'
import { baseUrl, endpointIn, type Service } from './catalog.ts'
import type { Method, OpenStackConnection, TlsSettings } from './connection.ts'
import { type Answered, createSendCall } from './send-call.ts'
import { createSignIn, fingerprintOf, noAnswer, type Session, versionedAuthUrl } from './sign-in.ts'

/** A call of one service, in the region and the project of the step. */
export interface Call<S extends z.ZodType = z.ZodType> {
  readonly service: Service
  readonly method: Method
  /** Segments below the versioned URL of the service, not encoded: `['networks', id]`. */
  readonly path: readonly string[]
  /** A list sends the name once for each value. Undefined values are omitted. */
  readonly query?: CallQuery
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The fields of the answer that are read. Default: none. */
  readonly answer?: S
  /** The action, as a gerund: `creating network shoot--a--b`. */
  readonly doing: string
  /** Aborts this call. Default: the signal of the step. */
  readonly signal?: AbortSignal
}

export type CallQuery = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** OpenStack with the credentials of one object, in one region, for one step. */
export interface OpenStackAccess {
  /** The region. Undefined: the first one of the catalog. */
  readonly region: string | undefined
  /** Sends a call, and returns the decoded body of its answer. Throws an `OpenStackError`. */
  call<S extends z.ZodType>(call: Call<S> & { readonly answer: S }): Promise<z.output<S>>
  call(call: Call): Promise<unknown>
  /** Like `call`, with the headers of the answer. */
  exchange<S extends z.ZodType>(call: Call<S> & { readonly answer: S }): Promise<Answered<z.output<S>>>
  /** Returns the id of the project. Logs in if necessary. */
  projectId(): Promise<string>
  /** Returns true if the catalog has an endpoint of the service in the region. Logs in if necessary. */
  has(service: Service): Promise<boolean>
}

export interface AccessRequest extends ReadCredentialsOptions {
  /** The Secret with the credentials. */
  readonly secret: Secret | undefined
  /** `spec.region`. Undefined or empty: the first region of the catalog. */
  readonly region: string | undefined
  /** The Keystone of the CloudProfile, for Secrets without a URL. */
  readonly keystone?: { readonly url: string; readonly tls?: TlsSettings } | undefined
  readonly signal: AbortSignal
  /** Called before each attempt that may change something. */
  readonly throwIfExpired: () => void
}

/** Throws a `CodedError` for an invalid Secret, without a call. */
export type OpenAccess = (request: AccessRequest) => OpenStackAccess

/** Creates the `OpenAccess` of a process. Logins are reused between steps until they expire or are refused. */
export const createAccess = (connection: OpenStackConnection, clock: Clock): OpenAccess => {
  const signIn = createSignIn(clock)
  const pace = createRequestPace(clock)

  return ({ secret, signal, throwIfExpired, keystone, dnsKeys, ...request }) => {
    if (secret === undefined) throw configurationProblem('spec.secretRef: expected a reference to a Secret')
    const credentials = readCredentials(secret, dnsKeys ? { dnsKeys } : {})
    const url = connection.authUrl ?? credentials.authUrl ?? keystone?.url
    if (url === undefined)
      throw configurationProblem(
        `the Secret ${secret.namespace}/${secret.name} has no authURL, and the CloudProfile no keystoneURL. Set one of them`,
      )
    const authUrl = versionedAuthUrl(url)
    const fingerprint = fingerprintOf(credentials, authUrl)
    const secrets = secretValuesOf(credentials)
    const region = request.region || undefined
    const tls = { ...keystone?.tls, ...credentials.tls }
    const senderFor = (ofCall: AbortSignal) =>
      createSendCall({
        connection,
        clock,
        pace,
        account: fingerprint,
        tls,
        secrets,
        signal: ofCall,
        throwIfExpired,
      })
    const login = { credentials, authUrl, fingerprint, send: senderFor(signal), signal }

    const send = async <S extends z.ZodType>(
      { service, method, path, query, body, headers, doing, signal: ofCall = signal }: Call<S>,
      session: Session,
      schema: S,
    ): Promise<Answered<z.output<S>>> => {
      const endpoint = endpointIn(session.endpoints, service, region)
      if (endpoint === undefined) throw withoutEndpoint(session, service, region)
      return senderFor(ofCall)({
        service,
        method,
        url: `${baseUrl(service, endpoint.url)}/${path.map(encodeURIComponent).join('/')}${queryText(query)}`,
        operation: operationOf(service, method, path),
        doing,
        headers: { 'x-auth-token': session.token, ...headers },
        ...(body !== undefined && { body }),
        answer: schema,
        isRead: method === 'GET' || method === 'HEAD',
      })
    }

    const exchange = async <S extends z.ZodType>(
      call: Call<S> & { readonly answer: S },
    ): Promise<Answered<z.output<S>>> => {
      const session = await signIn.session(login)
      try {
        return await send(call, session, call.answer)
      } catch (error) {
        if (!(error instanceof OpenStackError) || error.status !== 401) throw error
        // The token was revoked before its end. A second refusal is about the user.
        signIn.refused(login, session)
        return send(call, await signIn.session(login), call.answer)
      }
    }

    return {
      region,
      exchange,
      call: async (call: Call) =>
        (await exchange({ ...call, answer: call.answer ?? noAnswer })).value as never,
      projectId: async () => (await signIn.session(login)).projectId,
      has: async service =>
        endpointIn((await signIn.session(login)).endpoints, service, region) !== undefined,
    }
  }
}

const withoutEndpoint = (
  { endpoints }: Session,
  service: Service,
  region: string | undefined,
): CodedError => {
  const regions = [...new Set(Object.values(endpoints).flatMap(list => list.map(one => one.region)))].sort()
  if (region !== undefined && !regions.includes(region))
    return configurationProblem(
      `the catalog of OpenStack has no region ${JSON.stringify(region)}; it has ${regions.join(', ')}`,
    )
  return configurationProblem(
    `the catalog of OpenStack has no public endpoint of the service ${service}${region === undefined ? '' : ` in region ${region}`}. Ask the operator of the cloud`,
  )
}

const queryText = (query: CallQuery = {}): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value])
      parameters.append(name, String(one))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** `PUT routers/{id}/add_router_interface`: every second segment is an id or a name. */
const operationOf = (service: Service, method: Method, path: readonly string[]): string => {
  const noun = ['account', 'container', 'object'][Math.min(path.length, 2)]
  if (service === 'object-store') return `${method} ${noun}`
  return `${method} ${path.map((segment, index) => (index % 2 === 1 && !isWord(segment) ? '{id}' : segment)).join('/')}`
}

/** `servers/detail`, `ports/…`: a name of the API, not of a resource. */
const isWord = (segment: string): boolean => segment === 'detail'
