import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component, nginxIngress, systemNamespaces } from '../registration.ts'

const configMapSchema = z.looseObject({ data: z.record(z.string(), z.string()).nullish() })

/** The configuration of the ingress controller: load balancers of AWS tell it who calls in the proxy protocol. */
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
