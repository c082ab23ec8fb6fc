import type { FunctionPermission } from '../../runtime/runtime.ts'
import type { ReviewedResource, Reviewer } from '../admission/admission.ts'
import { garden } from './resources.ts'

const core = 'core.gardener.cloud'

/** The resources that the validator of a provider reviews, in any version. */
export const validatedResources: readonly [ReviewedResource, ...ReviewedResource[]] = [
  { group: core, versions: ['*'], plural: 'shoots', kind: 'Shoot' },
  { group: core, versions: ['*'], plural: 'cloudprofiles', kind: 'CloudProfile', mostElements: 300_000 },
  { group: core, versions: ['*'], plural: 'namespacedcloudprofiles', kind: 'NamespacedCloudProfile' },
  { group: core, versions: ['*'], plural: 'secretbindings', kind: 'SecretBinding' },
  { group: core, versions: ['*'], plural: 'seeds', kind: 'Seed' },
  { group: core, versions: ['*'], plural: 'backupbuckets', kind: 'BackupBucket' },
  {
    group: 'security.gardener.cloud',
    versions: ['*'],
    plural: 'credentialsbindings',
    kind: 'CredentialsBinding',
  },
]

/** The lookups of the validator of a provider. */
export const validatorPermissions: readonly FunctionPermission[] = [
  {
    resource: garden.cloudProfiles,
    verbs: ['get'],
    why: 'The profile of a shoot, or the parent of a namespaced profile.',
  },
  { resource: garden.namespacedCloudProfiles, verbs: ['get'], why: 'The profile of a shoot.' },
  { resource: garden.secrets, verbs: ['get'], why: 'Checks of referenced credentials.' },
  { resource: garden.internalSecrets, verbs: ['get'], why: 'Checks of referenced credentials.' },
]

/** The resources that the mutator of a provider reviews. */
export const mutatedResources: readonly [ReviewedResource, ...ReviewedResource[]] = [
  { group: core, versions: ['v1beta1'], plural: 'shoots', kind: 'Shoot' },
  {
    group: core,
    versions: ['v1beta1'],
    plural: 'cloudprofiles',
    kind: 'CloudProfile',
    mostElements: 300_000,
  },
  {
    group: core,
    versions: ['v1beta1'],
    plural: 'namespacedcloudprofiles',
    kind: 'NamespacedCloudProfile',
  },
  {
    group: core,
    versions: ['v1beta1'],
    plural: 'namespacedcloudprofiles/status',
    kind: 'NamespacedCloudProfile',
  },
]

/** The lookups of the mutator of a provider. */
export const mutatorPermissions: readonly FunctionPermission[] = [
  { resource: garden.cloudProfiles, verbs: ['get'], why: "Capabilities of the profile's parent." },
]

/** Returns a reviewer of several resources, by plural. It allows objects of other resources. */
export const reviewerByPlural =
  <Settings>(reviewers: Readonly<Record<string, Reviewer<Settings>>>): Reviewer<Settings> =>
  (request, lookup, settings) =>
    reviewers[request.resource.plural]?.(request, lookup, settings) ?? {}
