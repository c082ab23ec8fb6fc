import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  cloudproviderName,
  clusterPermission,
  readCluster,
  reviewerOf,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component, shootNamespaces } from '../registration.ts'
import { credentialsData } from './credentials-data.ts'

/** The API server sends a key without a value as null. */
const secretSchema = z.looseObject({ data: z.record(z.string(), z.string().nullable()).nullish() })

/** The Secret with the AWS credentials of a shoot. Adds the file that components mount. */
export const definition = defineWebhook({
  name: 'cloudprovider',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [{ group: '', versions: ['v1'], plural: 'secrets', kind: 'Secret' }],
  namespaceSelector: shootNamespaces,
  objectSelector: { matchLabels: { 'gardener.cloud/purpose': 'cloudprovider' } },
  permissions: [clusterPermission],
  review: reviewerOf(secretSchema, async ({ name, namespace = '', object }, lookup) => {
    if (name !== cloudproviderName) return {}
    const cluster = await readCluster(lookup, namespace)
    const added = credentialsData({
      data: object.data ?? {},
      labels: object.metadata.labels ?? {},
      region: cluster.spec.shoot.spec?.region ?? '',
    })
    return { changed: { ...object, data: { ...object.data, ...added } } }
  }),
})
