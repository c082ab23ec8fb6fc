/**
 * CAs, certificates and bundles in Secrets: created, renewed, rotated with the shoot, and cleaned up, with the names
 * and labels of Gardener's own secrets manager. A process declares what it needs (`AuthorityConfig`,
 * `CertificateConfig`) and gets it from `createSecretsManager`.
 */

export { type CaRotation, caRotationOf, rotationOfCredentials } from './ca-rotation.ts'
export type { CreateKeyPair } from './certificates/key-pair.ts'
export { keyPairQueue } from './certificates/key-pair-queue.ts'
export {
  type AuthorityConfig,
  type CertificateConfig,
  dnsNamesOfService,
  type PasswordConfig,
  type SecretConfig,
} from './config.ts'
export {
  createSecretsManager,
  type GeneratedSecret,
  type GeneratedSecrets,
  type GenerateOptions,
  type SecretsManager,
  type SecretsManagerOptions,
} from './create-secrets-manager.ts'
export { lostAuthorityType, reportLost } from './lost-authority-condition.ts'
export { clockSkewMs } from './make-data.ts'

// For code that reports on the Secrets.

export { secretLabels, unusedSince } from './labels.ts'
export { caChecksumOf } from './names/secret-name.ts'

// For the simulation, which loads everything before a run.

export { loadIssuer } from './make-data.ts'
