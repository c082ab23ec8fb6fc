import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import {
  cloudProfileMutator,
  mutatedResources,
  mutatorPermissions,
  namespacedProfileMutator,
  reviewerByPlural,
} from '../../../../shared/webhooks/garden/garden.ts'
import { awsImages } from '../profiles/aws-images.ts'
import { ofProvider } from '../registration.ts'
import { mutateShoot } from '../shoot/mutate-shoot.ts'

/** Defaults the fields that Shoots and profiles of the provider leave open. */
export const definition = defineWebhook({
  name: 'mutator',
  component: 'admission-aws',
  action: 'mutate',
  target: 'garden',
  resources: mutatedResources,
  objectSelector: ofProvider,
  permissions: mutatorPermissions,
  review: reviewerByPlural({
    shoots: mutateShoot,
    cloudprofiles: cloudProfileMutator(awsImages),
    namespacedcloudprofiles: namespacedProfileMutator(awsImages),
  }),
})
