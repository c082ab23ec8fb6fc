import { valueAt } from '../../../../shared/decode/record-of.ts'
import {
  defineWebhook,
  fieldErrors,
  type Reviewer,
  refusedFor,
} from '../../../../shared/webhooks/admission/admission.ts'
import { garden, isAbsent } from '../../../../shared/webhooks/garden/garden.ts'
import { validateCloudProfile, validateNamespacedCloudProfile } from '../profiles/review-profiles.ts'
import { admissionComponent, ofProvider } from '../registration.ts'
import { validateShoot } from './validate-shoot.ts'

const core = { group: 'core.gardener.cloud', versions: ['*'] } as const

/** An identity has no configuration: the provider cluster accepts its token as it is. */
const validateWorkloadIdentity: Reviewer = ({ object }) => {
  const path = 'spec.targetSystem.providerConfig'
  if (isAbsent(valueAt(object, 'spec', 'targetSystem', 'providerConfig'))) return {}
  return refusedFor(
    fieldErrors([
      { path, message: 'expected none: the provider local has no configuration', kind: 'forbidden' },
    ]),
  )
}

const byPlural: Readonly<Record<string, Reviewer>> = {
  shoots: validateShoot,
  cloudprofiles: validateCloudProfile,
  namespacedcloudprofiles: validateNamespacedCloudProfile,
  workloadidentities: validateWorkloadIdentity,
}

/** Refuses invalid objects of the provider. */
export const definition = defineWebhook({
  name: 'validator',
  component: admissionComponent,
  action: 'validate',
  target: 'garden',
  resources: [
    { ...core, plural: 'shoots', kind: 'Shoot' },
    { ...core, plural: 'cloudprofiles', kind: 'CloudProfile', mostElements: 300_000 },
    { ...core, plural: 'namespacedcloudprofiles', kind: 'NamespacedCloudProfile' },
    {
      group: 'security.gardener.cloud',
      versions: ['v1alpha1'],
      plural: 'workloadidentities',
      kind: 'WorkloadIdentity',
    },
  ],
  objectSelector: ofProvider,
  permissions: [
    { resource: garden.cloudProfiles, verbs: ['get'], why: 'The parent of a namespaced profile.' },
  ],
  review: (request, lookup, settings) => byPlural[request.resource.plural]?.(request, lookup, settings) ?? {},
})
