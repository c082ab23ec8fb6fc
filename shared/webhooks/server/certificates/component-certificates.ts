import { createSecureContext } from 'node:tls'
import type { Clock } from '../../../clock/clock.ts'
import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import {
  type CreateKeyPair,
  createSecretsManager,
  dnsNamesOfService,
  type GeneratedSecret,
} from '../../../secrets-manager/secrets-manager.ts'
import { certificateNames, serviceNameOf } from '../../admission/admission.ts'
import type { ServerCertificate } from '../serve/server.ts'

export interface CertificatesOptions {
  readonly kubernetes: Kubernetes
  readonly clock: Pick<Clock, 'now'>
  /** The namespace of the Secrets and of the Service. */
  readonly namespace: string
  readonly component: string
  /** The host name of a process without a Service. */
  readonly host?: string
  readonly createKeyPair?: CreateKeyPair
}

/** A CA and its server certificate, in the form that processes use. */
export interface CertificateAuthority {
  /** The CAs to trust, in PEM format. */
  readonly bundle: string
  readonly server: ServerCertificate
  readonly cleanUp: () => Promise<void>
  /** CAs that were deleted outside and have been recreated. */
  readonly lost: readonly string[]
  /** Unusable Secrets that have been replaced. */
  readonly replaced: readonly string[]
  readonly created: readonly string[]
}

export interface ComponentCertificates {
  /** The host names of the component. */
  readonly hosts: readonly string[]
  /**
   * Creates missing Secrets. Issues a certificate of a new CA only once callers know its bundle. `isLate`: they should
   * have known it for a day.
   */
  readonly generate: (isKnown: (bundle: string, isLate: boolean) => boolean) => Promise<CertificateAuthority>
  /** Reads the server's newest certificate. Undefined: none yet. Rejects with `UnreadableCertificateError`. */
  readonly read: () => Promise<ServerCertificate | undefined>
}

/** A Secret without a certificate and its key. The leading replica replaces it. */
export class UnreadableCertificateError extends Error {
  override readonly name = 'UnreadableCertificateError'
  constructor(namespace: string, secret: string) {
    super(
      `cannot read the certificate in Secret ${namespace}/${secret}: it contains no certificate with its key. The leading replica replaces it`,
    )
  }
}

const dayMs = 86_400_000

/**
 * A component's CA and its server's certificate, for all replicas
 * (docs/contract/secrets-manager.md#certificates-of-webhooks).
 */
export const componentCertificates = ({
  kubernetes,
  clock,
  namespace,
  component,
  host,
  createKeyPair,
}: CertificatesOptions): ComponentCertificates => {
  const { identity, authority, server } = certificateNames(component)
  const hosts = dnsNamesOfService(serviceNameOf(component), namespace).slice(0, 3)
  const isAddress = host !== undefined && /^[\d.]+$|:/.test(host)
  const manager = createSecretsManager({
    kubernetes,
    clock,
    namespace,
    identity,
    ...(createKeyPair && { createKeyPair }),
    // All Secrets belong to this process, and only this process writes them.
    replacesUnreadable: true,
    configs: [
      {
        kind: 'ca',
        name: authority,
        commonName: authority,
        validityMs: 30 * dayMs,
        autoRotate: true,
        ignoreOldAfterMs: dayMs,
      },
      {
        kind: 'server',
        name: server,
        commonName: component,
        dnsNames: host === undefined || isAddress ? hosts : [...hosts, host],
        ...(isAddress && { ipAddresses: [host] }),
        signedBy: { ca: authority, use: 'current' },
        skipPublishingCaCertificate: true,
      },
    ],
  })
  /** Loads the certificate as the server does, because OpenSSL's own error names no Secret. */
  const checked = (certificate: ServerCertificate, secret: string): ServerCertificate => {
    try {
      createSecureContext({ cert: certificate.certificate, key: certificate.key })
      return certificate
    } catch {
      throw new UnreadableCertificateError(namespace, secret)
    }
  }
  return {
    hosts,
    generate: async isKnown => {
      const generated = await manager.generate({
        isTrusted: (_, bundle, isLate) => isKnown(text(bundle, 'bundle.crt'), isLate),
      })
      return {
        bundle: text(generated.bundle(authority), 'bundle.crt'),
        server: checked(certificateOf(generated.current(server)), generated.current(server).name),
        cleanUp: generated.cleanUp,
        lost: generated.lostAuthorities,
        replaced: generated.replaced,
        created: generated.created,
      }
    },
    read: async () => {
      const secret = await manager.read(server)
      if (secret === undefined) return undefined
      const authorityOf = secret.signer && text(secret.signer, 'ca.crt')
      return checked(
        { ...certificateOf(secret), ...(authorityOf !== undefined && { authority: authorityOf }) },
        secret.name,
      )
    },
  }
}

const certificateOf = (secret: GeneratedSecret): ServerCertificate => ({
  certificate: text(secret, 'tls.crt'),
  key: text(secret, 'tls.key'),
})

const text = ({ data }: GeneratedSecret, key: string): string =>
  Buffer.from(data[key] ?? '', 'base64').toString()
