import { isDeepStrictEqual } from 'node:util'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import { defineWebhook, fieldErrors, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import { admissionComponent } from '../registration.ts'

/** Refuses Secrets of shoots without a kubeconfig of the provider cluster. Ignores updates of other fields. */
export const definition = defineWebhook({
  name: 'secrets.validator',
  component: admissionComponent,
  action: 'validate',
  target: 'garden',
  resources: [{ group: '', versions: ['v1'], plural: 'secrets', kind: 'Secret' }],
  objectSelector: { matchLabels: { 'provider.shoot.gardener.cloud/local': 'true' } },
  review: ({ object, oldObject }) => {
    if (oldObject !== undefined && isDeepStrictEqual(object.data ?? {}, oldObject.data ?? {})) return {}
    const kubeconfig = valueAt(object, 'data', 'kubeconfig')
    if (typeof kubeconfig === 'string' && kubeconfig !== '') return {}
    const message = 'expected the kubeconfig of the provider cluster, found nothing'
    return refusedFor(fieldErrors([{ path: 'data.kubeconfig', message, kind: 'required' }]))
  },
})
