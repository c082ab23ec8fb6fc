import { digestOf, mediaTypes } from '../layout/oci.ts'
import type { RegistryCredentials } from './credentials.ts'
import { type RegistryFailure, registryError } from './registry-error.ts'

export interface RegistryOptions {
  readonly host: string
  readonly repository: string
  readonly action: 'pull' | 'push'
  readonly plainHttp: boolean
  readonly credentials: RegistryCredentials | undefined
  /** The image in the messages of errors. */
  readonly about: string
}

/** A repository of images, https://github.com/opencontainers/distribution-spec/blob/main/spec.md. */
export interface ImageRegistry {
  /** Returns the bytes, whose digest is checked, if the version is one. */
  readManifest(version: string): Promise<Uint8Array>
  hasManifest(version: string): Promise<boolean>
  readBlob(digest: string): Promise<Uint8Array>
  hasBlob(digest: string): Promise<boolean>
  writeBlob(digest: string, bytes: Uint8Array): Promise<void>
  writeManifest(version: string, bytes: Uint8Array, mediaType: string): Promise<void>
}

const accepted = [
  mediaTypes.index,
  mediaTypes.manifest,
  mediaTypes.dockerIndex,
  mediaTypes.dockerManifest,
].join(', ')

/** Opens a repository. Its methods reject with a `RegistryError`. */
export const openRegistry = (options: RegistryOptions): ImageRegistry => {
  const { host, repository, action, plainHttp, credentials, about } = options
  const server = host === 'docker.io' ? 'registry-1.docker.io' : host
  const { origin } = new URL(`${plainHttp ? 'http' : 'https'}://${server}`)
  const base = `${origin}/v2/${repository}`
  let authorization: string | undefined
  const failed = (failure: RegistryFailure) => registryError(about, host, failure, action)
  const refused = async (response: Response) =>
    failed({ kind: 'status', status: response.status, body: await response.text() })

  const send = (url: string, init: RequestInit): Promise<Response> =>
    fetch(url, {
      ...init,
      // Uploads may go to a storage elsewhere, which must not see the credentials.
      headers: {
        ...init.headers,
        ...(authorization && new URL(url).origin === origin && { authorization }),
      },
    }).catch(cause => Promise.reject(failed({ kind: 'unreachable', cause })))

  /** Authenticates as the registry asks, and repeats the request once. */
  const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const first = await send(url, init)
    if (first.status !== 401) return first
    const challenge = parseChallenge(first.headers.get('www-authenticate'))
    if (challenge?.scheme === 'basic' && credentials?.kind === 'password')
      authorization = basicAuthorization(credentials)
    else if (challenge?.scheme === 'bearer') {
      const scope = `repository:${repository}:${action === 'push' ? 'pull,push' : 'pull'}`
      const answer = await bearerToken(challenge, scope, credentials).catch(cause =>
        Promise.reject(failed({ kind: 'unreachable', cause })),
      )
      if (answer instanceof Response) throw await refused(answer)
      authorization = `Bearer ${answer.token}`
    } else return first
    await first.body?.cancel()
    return send(url, init)
  }

  const read = async (url: string, digest: string | undefined, init?: RequestInit): Promise<Uint8Array> => {
    const response = await request(url, init)
    if (!response.ok) throw await refused(response)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (digest !== undefined && digestOf(bytes) !== digest)
      throw failed({ kind: 'unreachable', cause: new Error(`the content of ${digest} has another digest`) })
    return bytes
  }

  const exists = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> => {
    const response = await request(url, { method: 'HEAD', headers })
    if (response.ok) return true
    if (response.status === 404) return false
    throw await refused(response)
  }

  return {
    readManifest: version =>
      read(`${base}/manifests/${version}`, version.includes(':') ? version : undefined, {
        headers: { accept: accepted },
      }),
    readBlob: digest => read(`${base}/blobs/${digest}`, digest),
    hasManifest: version => exists(`${base}/manifests/${version}`, { accept: accepted }),
    hasBlob: digest => exists(`${base}/blobs/${digest}`),
    writeBlob: async (digest, bytes) => {
      const started = await request(`${base}/blobs/uploads/`, { method: 'POST' })
      const location = started.headers.get('location')
      if (started.status !== 202 || location === null) throw await refused(started)
      const upload = new URL(location, origin)
      upload.searchParams.set('digest', digest)
      const response = await request(upload.href, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: bytes as Uint8Array<ArrayBuffer>,
      })
      if (!response.ok) throw await refused(response)
    },
    writeManifest: async (version, bytes, mediaType) => {
      const response = await request(`${base}/manifests/${version}`, {
        method: 'PUT',
        headers: { 'content-type': mediaType },
        body: bytes as Uint8Array<ArrayBuffer>,
      })
      if (!response.ok) throw await refused(response)
    },
  }
}

interface Challenge {
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Parses `WWW-Authenticate: Bearer realm="…",service="…",scope="…"` (RFC 9110, 11.6.1). */
const parseChallenge = (header: string | null): Challenge | undefined => {
  const [, scheme, rest = ''] = /^\s*(\w+)\s*(.*)$/s.exec(header ?? '') ?? []
  if (scheme === undefined) return undefined
  const found = [...rest.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)]
  return {
    scheme: scheme.toLowerCase(),
    parameters: Object.fromEntries(found.map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''])),
  }
}

const basicAuthorization = ({ user, password }: Extract<RegistryCredentials, { kind: 'password' }>): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/**
 * Gets a token from the server that a registry names (https://distribution.github.io/distribution/spec/auth/token/).
 * Returns the answer of the server if it refuses.
 */
const bearerToken = async (
  { parameters }: Challenge,
  scope: string,
  credentials: RegistryCredentials | undefined,
): Promise<{ readonly token: string } | Response> => {
  const { realm = '', service } = parameters
  const asked = { scope, ...(service !== undefined && { service }) }
  const response =
    credentials?.kind === 'token'
      ? await fetch(realm, {
          method: 'POST',
          body: new URLSearchParams({
            ...asked,
            grant_type: 'refresh_token',
            refresh_token: credentials.token,
            client_id: 'trellis',
          }),
        })
      : await fetch(`${realm}?${new URLSearchParams(asked)}`, {
          headers: credentials === undefined ? {} : { authorization: basicAuthorization(credentials) },
        })
  if (!response.ok) return response
  const { token, access_token: accessToken } = (await response.json()) as Partial<
    Record<'token' | 'access_token', string>
  >
  return { token: token ?? accessToken ?? '' }
}
