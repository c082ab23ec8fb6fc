/**
 * The parts of admission in the garden that are the same for every provider: profiles, shoots, credentials and backups,
 * and the resources of lookups.
 */

export { type BackupRules, backupBucketValidator, seedValidator } from './backups/backup-validators.ts'
export { capabilityProblems } from './capability-problems.ts'
export {
  type CredentialsReference,
  type CredentialsRules,
  findSecret,
  judgeCredentials,
} from './credentials/judge-credentials.ts'
export { type SecretValues, secretValuesIn } from './credentials/secret-values.ts'
export {
  credentialsBindingValidator,
  notFound,
  referenceIn,
  secretBindingValidator,
  secretValidator,
} from './credentials/validators.ts'
export { isAbsent, type JsonObject, withAt } from './json.ts'
export {
  findCloudProfile,
  findProfile,
  type ParsedProfile,
  type ProfileSpec,
  parseProfile,
  providerConfigIn,
  readNamespacedProfile,
  readProfile,
  type SpecImage,
  type SpecVersion,
  versionsOf,
} from './profile.ts'
export { cloudProfileMutator, namespacedProfileMutator } from './profiles/mutate-profiles.ts'
export type { ProviderImages } from './profiles/provider-images.ts'
export { cloudProfileValidator, namespacedProfileValidator } from './profiles/validate-profiles.ts'
export { garden, isName } from './resources.ts'
export {
  type ConfigPlace,
  type DecodeConfig,
  minorOf,
  readConfig,
  readFormerConfig,
} from './shoot/config-errors.ts'
export { type DnsRules, dnsErrors } from './shoot/dns-errors.ts'
export {
  isUnchangedShoot,
  networkConfigPath,
  withNodeLocalDns,
  withOverlay,
  withSpec,
} from './shoot/mutate-shoot.ts'
export { overlayOf, overlayPath, overlayProblem } from './shoot/overlay.ts'
export { type PoolsToJudge, poolChangeErrors, poolErrors } from './shoot/pool-errors.ts'
export { firstErrors, readShoot } from './shoot/read-shoot.ts'
export type { ShootPool, ShootSpec } from './shoot/shoot-parts.ts'
export { withMergedStatus } from './with-merged-status.ts'
