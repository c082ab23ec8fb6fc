import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  changeContainer,
  cloudproviderPermission,
  hasWorkloadIdentity,
  podSchema,
  readCloudprovider,
  reviewerOf,
  withTokenMount,
  withTokenVolume,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component, shootNamespaces } from '../registration.ts'

const container = 'terraform'

/** Pods in which the Go extension runs Terraform. They get the token of a workload identity. */
export const definition = defineWebhook({
  name: 'terraformer',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [{ group: '', versions: ['v1'], plural: 'pods', kind: 'Pod' }],
  namespaceSelector: shootNamespaces,
  objectSelector: {
    matchExpressions: [
      { key: 'terraformer.gardener.cloud/name', operator: 'Exists' },
      { key: 'terraformer.gardener.cloud/purpose', operator: 'Exists' },
    ],
  },
  permissions: [cloudproviderPermission],
  review: reviewerOf(podSchema, async ({ operation, namespace = '', object }, lookup) => {
    // The volumes of an existing pod are immutable.
    if (operation !== 'CREATE') return {}
    const secret = await readCloudprovider(lookup, namespace)
    if (!hasWorkloadIdentity(secret.metadata.labels)) return {}
    if (!object.spec.containers?.some(({ name }) => name === container))
      return { refused: { problems: [`found no container with name "${container}"`] } }
    const spec = withTokenVolume(changeContainer(object.spec, container, withTokenMount))
    return { changed: { ...object, spec } }
  }),
})
