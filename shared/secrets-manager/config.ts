/** Any secret that a secrets manager generates. */
export type SecretConfig = AuthorityConfig | CertificateConfig | PasswordConfig

/** Common fields of generated secrets. Fields are hashed unless noted, so a changed field creates a new Secret. */
interface AnyConfig {
  /**
   * The name for its users, and the prefix of the Secret's name. At most 49 characters: the Secret of a rotated CA has
   * 15 more, and a common name may have 64.
   */
  readonly name: string
  /** Validity in milliseconds. Default: ten calendar years. */
  readonly validityMs?: number
  /** True if gardenlet copies it when the control plane migrates to another seed. Default: false. Not hashed. */
  readonly persist?: boolean
  /** Percentage of the validity after which it is renewed. Default: 80. Not hashed. */
  readonly renewAfterValidityPercentage?: number
}

interface SignedConfig extends AnyConfig {
  readonly commonName: string
  readonly organization?: readonly string[]
}

/** A CA. The previous CA remains in the bundle until the rotation is completing. */
export interface AuthorityConfig extends SignedConfig {
  readonly kind: 'ca'
  /**
   * True if it is renewed before it expires, like certificates. False: only a rotation of the shoot replaces it. Not
   * hashed.
   */
  readonly autoRotate?: boolean
  /**
   * Age of the new CA in milliseconds after which the previous one is ignored and certificates no longer wait for trust
   * in the new one. Absent: when the rotation ends. Not hashed.
   */
  readonly ignoreOldAfterMs?: number
}

/** A certificate signed by a CA of the same secrets manager. */
export interface CertificateConfig extends SignedConfig {
  /** `both`: a server that is also a client. */
  readonly kind: 'server' | 'client' | 'both'
  /**
   * The signing CA, and which generation of it during a rotation. Default of `use`: `current` for clients, `old` for
   * servers, because clients have known the old one longest.
   */
  readonly signedBy: { readonly ca: string; readonly use?: 'current' | 'old' }
  readonly dnsNames?: readonly string[]
  readonly ipAddresses?: readonly string[]
  /** True: omits `ca.crt` from the Secret. Default: false. */
  readonly skipPublishingCaCertificate?: boolean
  /** True: appends the CA's certificate to `tls.crt`. Default: false. */
  readonly includeCaCertificateInServerChain?: boolean
}

/** A user and a password, in `username`, `password` and `auth`, an htpasswd line. */
export interface PasswordConfig extends AnyConfig {
  readonly kind: 'password'
  /** Default: an empty user name. */
  readonly username?: string
  /** In characters. */
  readonly passwordLength: number
  /** Validity in milliseconds. Default: unlimited. Not hashed. */
  readonly validityMs?: number
}

/**
 * Returns the names by which a cluster reaches a Service, for its server certificate.
 *
 * @example
 * const dnsNames = dnsNamesOfService('dns-sync', namespace)
 */
export const dnsNamesOfService = (service: string, namespace: string): readonly string[] => [
  service,
  `${service}.${namespace}`,
  `${service}.${namespace}.svc`,
  `${service}.${namespace}.svc.cluster.local`,
]
