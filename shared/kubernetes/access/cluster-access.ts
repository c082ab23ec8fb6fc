import type http from 'node:http'

/** TLS material of a connection, PEM. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
  /** False only if the kubeconfig has `insecure-skip-tls-verify`. */
  readonly rejectUnauthorized?: boolean
}

/** Headers and TLS material that authenticate a request. */
export interface Credentials {
  /** Names in lower case: `authorization`, `impersonate-user`. A header with several values is sent several times. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly tls: TlsMaterial
  /** Agent for the proxy in the kubeconfig, if it has one. */
  readonly agent?: http.Agent
}

/** The address of an API server and the credentials for it. */
export interface ClusterAccess {
  /** `https://10.0.0.1:443`, possibly with a path. */
  readonly server: string
  /** The name of the user in the kubeconfig, which the server may know by another one. */
  readonly user?: string
  /**
   * Returns the current credentials; the same object while they are unchanged. `refused`: credentials that the server
   * answered with 401; they are read again at any age.
   */
  credentials(options?: { readonly refused?: Credentials }): Promise<Credentials>
  /** Ends a plugin that still runs. A transport calls it when it closes. */
  close?(): void
}

/** Access to a server without authentication, such as the sandbox's. */
export const openAccess = (server: string): ClusterAccess => {
  const credentials: Credentials = { headers: {}, tls: {} }
  return { server, credentials: async () => credentials }
}

/** Returns the credentials of these parts, without those that are absent or empty. */
export const credentialsFrom = ({
  token,
  ca,
  cert,
  key,
  servername,
}: Readonly<
  Partial<Record<'token' | 'ca' | 'cert' | 'key' | 'servername', string | undefined>>
>): Credentials => ({
  headers: token ? { authorization: `Bearer ${token}` } : {},
  tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(servername && { servername }) },
})
