import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  etcdReviewer,
  etcdVolumeSettings,
  etcdWebhook,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../registration.ts'

const { storageClass: etcdStorageClass, storageCapacity: etcdStorageCapacity } = etcdVolumeSettings()
const settings = z.object({ etcdStorageClass, etcdStorageCapacity })

/** The volumes of etcds. Their class and size are set once, because they are immutable on existing volumes. */
export const definition = defineWebhook({
  ...etcdWebhook,
  component,
  namespaceSelector: {
    matchExpressions: [{ key: 'seed.gardener.cloud/provider', operator: 'In', values: ['aws'] }],
  },
  settings,
  review: etcdReviewer<z.output<typeof settings>>(
    one => ({ storageClass: one.etcdStorageClass, storageCapacity: one.etcdStorageCapacity }),
    { retains: true },
  ),
})
