/** Anything that a secrets manager makes. */
export type SecretConfig = AuthorityConfig | CertificateConfig | PasswordConfig

/** What is the same for every generated secret. Fields are hashed, so a change of one makes a new Secret. */
interface AnyConfig {
  /**
   * What its users call it; the name of its Secret begins with it. At most 49 characters: the Secret of a rotated CA has 15
   * more, and a common name 64.
   */
  readonly name: string
  /** How long it is valid; absent: ten calendar years. */
  readonly validityMs?: number
  /** gardenlet takes it along when the control plane moves to another seed; false. Not hashed. */
  readonly persist?: boolean
  /** How much of its validity may pass before it is renewed, in percent; 80. Not hashed. */
  readonly renewAfterValidityPercentage?: number
}

interface SignedConfig extends AnyConfig {
  readonly commonName: string
  readonly organization?: readonly string[]
}

/** A CA. The one before it is kept beside it, in its bundle, until the rotation is completing. */
export interface AuthorityConfig extends SignedConfig {
  readonly kind: 'ca'
  /** Renewed before it ends, as certificates are; false: a rotation of the shoot alone makes a new one. Not hashed. */
  readonly autoRotate?: boolean
  /**
   * The one before it does not count any more once the new one is that old, and certificates no longer wait for that to be
   * trusted; absent: until the rotation ends it. Not hashed.
   */
  readonly ignoreOldAfterMs?: number
}

/** A certificate that a CA of the same secrets manager signs. */
export interface CertificateConfig extends SignedConfig {
  /** `both`: of a server that is a client as well. */
  readonly kind: 'server' | 'client' | 'both'
  /**
   * By which CA, and by which of two while it rotates. Absent: a client's by the current one, a server's by the old one, as
   * clients know the old one longest.
   */
  readonly signedBy: { readonly ca: string; readonly use?: 'current' | 'old' }
  readonly dnsNames?: readonly string[]
  readonly ipAddresses?: readonly string[]
  /** Leaves `ca.crt` out of the Secret; false. */
  readonly skipPublishingCaCertificate?: boolean
  /** `tls.crt` is followed by the CA's certificate; false. */
  readonly includeCaCertificateInServerChain?: boolean
}

/** A user and a password, in `username`, `password` and `auth`, a line of htpasswd. */
export interface PasswordConfig extends AnyConfig {
  readonly kind: 'password'
  /** Absent: a user without a name. */
  readonly username?: string
  /** In characters. */
  readonly passwordLength: number
  /** Absent: for ever. Not hashed. */
  readonly validityMs?: number
}

/** The names by which a cluster reaches a Service, for the certificate of its server. */
export const dnsNamesOfService = (service: string, namespace: string): readonly string[] => [
  service,
  `${service}.${namespace}`,
  `${service}.${namespace}.svc`,
  `${service}.${namespace}.svc.cluster.local`,
]
