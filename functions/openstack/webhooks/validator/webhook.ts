import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import {
  type BackupRules,
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
import { admission, ofOpenStack } from '../admission.ts'
import { openstackCredentials } from '../credentials/openstack-credentials.ts'
import { openstackImages } from '../profiles/openstack-images.ts'
import { validateShoot } from '../shoot/validate-shoot.ts'

const backups: BackupRules = { provider: 'openstack', kinds: { Secret: 'v1' } }

const ofShoots = 'The credentials of a shoot, for its domain, which floating pools depend on.'

/** Refuses invalid objects of the provider. */
export const definition = defineWebhook({
  name: 'validator',
  component: admission,
  action: 'validate',
  target: 'garden',
  resources: validatedResources,
  objectSelector: ofOpenStack,
  deleting: true,
  permissions: [
    ...validatorPermissions,
    { resource: garden.secretBindings, verbs: ['get'], why: ofShoots },
    { resource: garden.credentialsBindings, verbs: ['get'], why: ofShoots },
  ],
  review: reviewerByPlural({
    shoots: validateShoot,
    cloudprofiles: cloudProfileValidator(openstackImages),
    namespacedcloudprofiles: namespacedProfileValidator(openstackImages),
    secretbindings: secretBindingValidator(openstackCredentials),
    seeds: seedValidator(backups),
    backupbuckets: backupBucketValidator(backups),
    credentialsbindings: credentialsBindingValidator(openstackCredentials),
  }),
})
