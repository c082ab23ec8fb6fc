import { defineWebhook, type Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import {
  cloudProfileMutator,
  garden,
  namespacedProfileMutator,
} from '../../../../shared/webhooks/garden/garden.ts'
import { awsImages } from '../profiles/aws-images.ts'
import { ofProvider } from '../registration.ts'
import { mutateShoot } from '../shoot/mutate-shoot.ts'

const core = { group: 'core.gardener.cloud', versions: ['v1beta1'] } as const

const byPlural: Readonly<Record<string, Reviewer>> = {
  shoots: mutateShoot,
  cloudprofiles: cloudProfileMutator(awsImages),
  namespacedcloudprofiles: namespacedProfileMutator(awsImages),
}

/** Defaults the fields that Shoots and profiles of the provider leave open. */
export const definition = defineWebhook({
  name: 'mutator',
  component: 'admission-aws',
  action: 'mutate',
  target: 'garden',
  resources: [
    { ...core, plural: 'shoots', kind: 'Shoot' },
    { ...core, plural: 'cloudprofiles', kind: 'CloudProfile', mostElements: 300_000 },
    { ...core, plural: 'namespacedcloudprofiles', kind: 'NamespacedCloudProfile' },
    { ...core, plural: 'namespacedcloudprofiles/status', kind: 'NamespacedCloudProfile' },
  ],
  objectSelector: ofProvider,
  permissions: [
    { resource: garden.cloudProfiles, verbs: ['get'], why: "Capabilities of the profile's parent." },
  ],
  review: (request, lookup, settings) => byPlural[request.resource.plural]?.(request, lookup, settings) ?? {},
})
