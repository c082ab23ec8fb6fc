import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component, nginxIngress, systemNamespaces } from '../registration.ts'

const configMapSchema = z.looseObject({ data: z.record(z.string(), z.string()).nullish() })

/** Configures the ingress controller to read the client address from the proxy protocol of AWS load balancers. */
export const definition = defineWebhook({
  name: 'shoot-configmap',
  component,
  action: 'mutate',
  target: 'shoot',
  resources: [{ group: '', versions: ['v1'], plural: 'configmaps', kind: 'ConfigMap' }],
  namespaceSelector: systemNamespaces,
  objectSelector: nginxIngress,
  review: reviewerOf(configMapSchema, ({ object }) => ({
    changed: { ...object, data: { ...object.data, 'use-proxy-protocol': 'true' } },
  })),
})
