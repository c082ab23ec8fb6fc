import type { AuthorityConfig, CertificateConfig, PasswordConfig } from '../config.ts'
import { structureHash } from './structure-hash.ts'

/**
 * Returns the label `checksum-of-config` of a CA or a certificate (docs/contract/secrets-manager.md#hash-of-a-config).
 * For a CA it equals that of the Go extension. For a signed certificate it omits the signing CA, which Go hashes with
 * all fields of its parsed certificate; `checksum-of-signing-ca` identifies the CA anyway.
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

/** Returns the label of a password. Equals that of the Go extension. Its validity is not hashed. */
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

/** Returns the label of the bundle of these certificates, PEM, starting with the current one. */
export const bundleChecksum = (name: string, certificates: readonly string[]): string =>
  structureHash({
    type: 'CertificateBundleSecretConfig',
    fields: [
      ['Name', name],
      ['CertificatePEMs', certificates.map(pem => new TextEncoder().encode(pem))],
    ],
  })
