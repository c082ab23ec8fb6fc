import type { AuthorityConfig, CertificateConfig, PasswordConfig } from '../config.ts'
import { structureHash } from './structure-hash.ts'

/**
 * The label `checksum-of-config` of a CA or a certificate (docs/contract/secrets-manager.md#hash-of-a-config). That of a CA
 * is the Go extension's. That of a signed certificate leaves out the signing CA, which there is hashed with everything that
 * Go's parser of certificates remembers of it; `checksum-of-signing-ca` tells it anyway.
 */
export const certificateChecksum = (config: AuthorityConfig | CertificateConfig): string => {
  const { name, commonName, organization, validityMs, kind } = config
  const signed = kind === 'ca' ? undefined : config
  return structureHash({
    type: 'CertificateSecretConfig',
    fields: [
      ['Name', name],
      ['CommonName', commonName],
      ['Organization', organization],
      ['DNSNames', signed?.dnsNames],
      ['IPAddresses', signed?.ipAddresses],
      ['CertType', kind],
      ['Validity', validityMs === undefined ? undefined : BigInt(validityMs) * 1_000_000n],
      ['SkipPublishingCACertificate', signed?.skipPublishingCaCertificate],
      ['IncludeCACertificateInServerChain', signed?.includeCaCertificateInServerChain],
    ],
  })
}

/** The label of a password: the Go extension's. How long it is valid does not count. */
export const passwordChecksum = ({ name, username, passwordLength }: PasswordConfig): string =>
  structureHash({
    type: 'BasicAuthSecretConfig',
    fields: [
      ['Name', name],
      ['Format', 'normal'],
      ['Username', username],
      ['PasswordLength', BigInt(passwordLength)],
    ],
  })

/** The label of the bundle of these certificates, PEM, the current one first. */
export const bundleChecksum = (name: string, certificates: readonly string[]): string =>
  structureHash({
    type: 'CertificateBundleSecretConfig',
    fields: [
      ['Name', name],
      ['CertificatePEMs', certificates.map(pem => new TextEncoder().encode(pem))],
    ],
  })
