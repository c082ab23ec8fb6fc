import type http from 'node:http'

/** TLS material of a connection, PEM. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
  /** False only where the kubeconfig says `insecure-skip-tls-verify`. */
  readonly rejectUnauthorized?: boolean
}

/** What a request needs to be let in. */
export interface Credentials {
  /** Names in lower case: `authorization`, `impersonate-user`. */
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsMaterial
  /** Set when the kubeconfig names a proxy: connections go through it. */
  readonly agent?: http.Agent
}

/** Where an API server is and how to be let in. */
export interface ClusterAccess {
  /** `https://10.0.0.1:443`, maybe with a path. */
  readonly server: string
  /**
   * The present credentials; the same object as long as they are the same. `refused` are credentials that the
   * server just answered 401 to: they are read again whatever their age.
   */
  credentials(options?: { readonly refused?: Credentials }): Promise<Credentials>
}

/** A server that asks for nothing, as the sandbox's. */
export const openAccess = (server: string): ClusterAccess => {
  const credentials: Credentials = { headers: {}, tls: {} }
  return { server, credentials: async () => credentials }
}
