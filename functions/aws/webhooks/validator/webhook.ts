import { defineWebhook, type Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import {
  backupBucketValidator,
  cloudProfileValidator,
  credentialsBindingValidator,
  garden,
  namespacedProfileValidator,
  secretBindingValidator,
  seedValidator,
} from '../../../../shared/webhooks/garden/garden.ts'
import { awsBackups } from '../backups/aws-backups.ts'
import { awsCredentials } from '../credentials/aws-credentials.ts'
import { validateWorkloadIdentity } from '../credentials/validate-workload-identity.ts'
import { awsImages } from '../profiles/aws-images.ts'
import { ofProvider } from '../registration.ts'
import { validateShoot } from '../shoot/validate-shoot.ts'

const core = { group: 'core.gardener.cloud', versions: ['*'] } as const
const security = 'security.gardener.cloud'

const byPlural: Readonly<Record<string, Reviewer>> = {
  shoots: validateShoot,
  cloudprofiles: cloudProfileValidator(awsImages),
  namespacedcloudprofiles: namespacedProfileValidator(awsImages),
  secretbindings: secretBindingValidator(awsCredentials),
  seeds: seedValidator(awsBackups),
  backupbuckets: backupBucketValidator(awsBackups),
  credentialsbindings: credentialsBindingValidator(awsCredentials),
  workloadidentities: validateWorkloadIdentity,
}

/** Refuses invalid objects of the provider. */
export const definition = defineWebhook({
  name: 'validator',
  component: 'admission-aws',
  action: 'validate',
  target: 'garden',
  resources: [
    { ...core, plural: 'shoots', kind: 'Shoot' },
    { ...core, plural: 'cloudprofiles', kind: 'CloudProfile', mostElements: 300_000 },
    { ...core, plural: 'namespacedcloudprofiles', kind: 'NamespacedCloudProfile' },
    { ...core, plural: 'secretbindings', kind: 'SecretBinding' },
    { ...core, plural: 'seeds', kind: 'Seed' },
    { ...core, plural: 'backupbuckets', kind: 'BackupBucket' },
    { group: security, versions: ['*'], plural: 'credentialsbindings', kind: 'CredentialsBinding' },
    { group: security, versions: ['v1alpha1'], plural: 'workloadidentities', kind: 'WorkloadIdentity' },
  ],
  objectSelector: ofProvider,
  deleting: true,
  permissions: [
    {
      resource: garden.cloudProfiles,
      verbs: ['get'],
      why: 'The profile of a shoot, or the parent of a namespaced profile.',
    },
    { resource: garden.namespacedCloudProfiles, verbs: ['get'], why: 'The profile of a shoot.' },
    { resource: garden.secrets, verbs: ['get'], why: 'Checks of referenced credentials.' },
    { resource: garden.internalSecrets, verbs: ['get'], why: 'Checks of referenced credentials.' },
    { resource: garden.workloadIdentities, verbs: ['get'], why: 'Checks that it contains a role.' },
  ],
  review: (request, lookup, settings) => byPlural[request.resource.plural]?.(request, lookup, settings) ?? {},
})
