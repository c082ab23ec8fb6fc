import {
  type AuthorityConfig,
  type CertificateConfig,
  dnsNamesOfService,
} from '../../../shared/secrets-manager/secrets-manager.ts'
import { authenticatorName, authorityName } from './api-server/oidc.ts'

/** The config of the authenticator's certificate. */
export const serverSecretName = `${authenticatorName}-tls`

/**
 * The CA and the certificate of the authenticator. The certificate is by the current CA: API servers trust both until the old
 * one goes.
 */
export const secretConfigs = (namespace: string): readonly (AuthorityConfig | CertificateConfig)[] => [
  // A rotation of the shoot alone makes a new one, as the API server has to be told of it.
  { kind: 'ca', name: authorityName, commonName: authorityName, persist: true, autoRotate: false },
  {
    kind: 'server',
    name: serverSecretName,
    commonName: authenticatorName,
    dnsNames: dnsNamesOfService(authenticatorName, namespace),
    skipPublishingCaCertificate: true,
    signedBy: { ca: authorityName, use: 'current' },
  },
]
