import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import {
  backupBucketValidator,
  cloudProfileValidator,
  credentialsBindingValidator,
  garden,
  namespacedProfileValidator,
  reviewerByPlural,
  secretBindingValidator,
  seedValidator,
  validatedResources,
  validatorPermissions,
} from '../../../../shared/webhooks/garden/garden.ts'
import { awsBackups } from '../backups/aws-backups.ts'
import { awsCredentials } from '../credentials/aws-credentials.ts'
import { validateWorkloadIdentity } from '../credentials/validate-workload-identity.ts'
import { awsImages } from '../profiles/aws-images.ts'
import { ofProvider } from '../registration.ts'
import { validateShoot } from '../shoot/validate-shoot.ts'

const review = reviewerByPlural({
  shoots: validateShoot,
  cloudprofiles: cloudProfileValidator(awsImages),
  namespacedcloudprofiles: namespacedProfileValidator(awsImages),
  secretbindings: secretBindingValidator(awsCredentials),
  seeds: seedValidator(awsBackups),
  backupbuckets: backupBucketValidator(awsBackups),
  credentialsbindings: credentialsBindingValidator(awsCredentials),
  workloadidentities: validateWorkloadIdentity,
})

/** Refuses invalid objects of the provider. */
export const definition = defineWebhook({
  name: 'validator',
  component: 'admission-aws',
  action: 'validate',
  target: 'garden',
  resources: [
    ...validatedResources,
    {
      group: 'security.gardener.cloud',
      versions: ['v1alpha1'],
      plural: 'workloadidentities',
      kind: 'WorkloadIdentity',
    },
  ],
  objectSelector: ofProvider,
  deleting: true,
  permissions: [
    ...validatorPermissions,
    { resource: garden.workloadIdentities, verbs: ['get'], why: 'Checks that it contains a role.' },
  ],
  review,
})
