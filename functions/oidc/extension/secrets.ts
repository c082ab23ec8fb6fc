import {
  type AuthorityConfig,
  type CertificateConfig,
  dnsNamesOfService,
} from '../../../shared/secrets-manager/secrets-manager.ts'
import { authenticatorName, authorityName } from './api-server/oidc.ts'

/** The name of the config for the authenticator's certificate. */
export const serverSecretName = `${authenticatorName}-tls`

/**
 * The CA and the certificate of the authenticator. The current CA signs the certificate: API servers trust both CAs
 * until the old one is deleted.
 */
export const secretConfigs = (namespace: string): readonly (AuthorityConfig | CertificateConfig)[] => [
  // Only a rotation of the shoot replaces it, because the API server has to trust it first.
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
