import * as z from 'zod'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'
import { withoutConntrackLimit } from './without-conntrack-limit.ts'

const configMapSchema = z.looseObject({ data: z.record(z.string(), z.string()).nullish() })
const key = 'config.yaml'

/** The configuration of kube-proxy: nodes are pods, which cannot set kernel limits of the host. */
export const definition = defineWebhook({
  name: 'shoot',
  component,
  action: 'mutate',
  target: 'shoot',
  // Without the change the nodes have no network. Only Gardener writes this object, and it retries.
  failurePolicy: 'Fail',
  resources: [{ group: '', versions: ['v1'], plural: 'configmaps', kind: 'ConfigMap' }],
  namespaceSelector: {
    matchExpressions: [{ key: 'gardener.cloud/purpose', operator: 'In', values: ['kube-system'] }],
  },
  objectSelector: { matchLabels: { app: 'kubernetes', role: 'proxy' } },
  review: reviewerOf(configMapSchema, ({ name, object }) => {
    const text = object.data?.[key]
    if (!name.startsWith('kube-proxy-config') || text === undefined) return {}
    try {
      return { changed: { ...object, data: { ...object.data, [key]: withoutConntrackLimit(text) } } }
    } catch (error) {
      throw new CodedError(`could not decode kube-proxy configuration: ${messageOf(error)}`, {
        codes: ['ERR_CONFIGURATION_PROBLEM'],
        cause: error,
      })
    }
  }),
})
