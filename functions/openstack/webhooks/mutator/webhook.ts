import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import {
  cloudProfileMutator,
  mutatedResources,
  mutatorPermissions,
  namespacedProfileMutator,
  reviewerByPlural,
} from '../../../../shared/webhooks/garden/garden.ts'
import { admission, ofOpenStack } from '../admission.ts'
import { openstackImages } from '../profiles/openstack-images.ts'
import { mutateShoot } from '../shoot/mutate-shoot.ts'

const overlay = (network: string) =>
  z
    .stringbool()
    .default(true)
    .meta({
      description: `If true, new shoots on OpenStack with ${network} have an overlay network unless they set it.`,
      bare: 'true',
    })

const settings = z.object({
  enableOverlayAsDefaultForCalico: overlay('Calico'),
  enableOverlayAsDefaultForCilium: overlay('Cilium'),
})

/** Defaults the fields that Shoots and profiles of the provider leave open. */
export const definition = defineWebhook({
  name: 'mutator',
  component: admission,
  action: 'mutate',
  target: 'garden',
  resources: mutatedResources,
  objectSelector: ofOpenStack,
  permissions: mutatorPermissions,
  settings,
  review: reviewerByPlural<z.output<typeof settings>>({
    shoots: mutateShoot,
    cloudprofiles: cloudProfileMutator(openstackImages),
    namespacedcloudprofiles: namespacedProfileMutator(openstackImages),
  }),
})
