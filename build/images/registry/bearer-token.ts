import type { RegistryCredentials } from './credentials.ts'

export interface Challenge {
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Parses `WWW-Authenticate: Bearer realm="…",service="…",scope="…"` (RFC 9110, 11.6.1). */
export const parseChallenge = (header: string | null): Challenge | undefined => {
  const [, scheme, rest = ''] = /^\s*(\w+)\s*(.*)$/s.exec(header ?? '') ?? []
  if (scheme === undefined) return undefined
  const found = [...rest.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)]
  return {
    scheme: scheme.toLowerCase(),
    parameters: Object.fromEntries(found.map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''])),
  }
}

export const basicAuthorization = ({
  user,
  password,
}: Extract<RegistryCredentials, { kind: 'password' }>): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/**
 * Gets a token from the server that a registry names (https://distribution.github.io/distribution/spec/auth/token/).
 * Returns the answer of the server if it refuses.
 */
export const bearerToken = async (
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
