import { defineWebhook, type Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { mutateNamespacedCloudProfile } from '../profiles/review-profiles.ts'
import { admissionComponent, ofProvider } from '../registration.ts'

const core = { group: 'core.gardener.cloud', versions: ['v1beta1'] } as const

/** The annotation by which Gardener's tests see that a Shoot passed this admission. */
const processedBy = 'extensions.gardener.cloud/processed-by'

const markShoot: Reviewer = ({ object }) => {
  const { metadata } = object
  if (metadata.annotations?.[processedBy] !== undefined) return {}
  const annotations = { ...metadata.annotations, [processedBy]: 'admission-webhook-local-provider' }
  return { changed: { ...object, metadata: { ...metadata, annotations } } }
}

const byPlural: Readonly<Record<string, Reviewer>> = {
  shoots: markShoot,
  namespacedcloudprofiles: mutateNamespacedCloudProfile,
}

/** Marks Shoots of the provider, and merges the images of NamespacedCloudProfiles into their status. */
export const definition = defineWebhook({
  name: 'mutator',
  component: admissionComponent,
  action: 'mutate',
  target: 'garden',
  resources: [
    { ...core, plural: 'shoots', kind: 'Shoot' },
    { ...core, plural: 'namespacedcloudprofiles/status', kind: 'NamespacedCloudProfile' },
  ],
  objectSelector: ofProvider,
  review: (request, lookup, settings) => byPlural[request.resource.plural]?.(request, lookup, settings) ?? {},
})
