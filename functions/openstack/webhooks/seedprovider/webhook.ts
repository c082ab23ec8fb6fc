import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  etcdReviewer,
  etcdVolumeSettings,
  etcdWebhook,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../registration.ts'

const { storageClass: openstackEtcdStorageClass, storageCapacity: openstackEtcdStorageCapacity } =
  etcdVolumeSettings()
const settings = z.object({ openstackEtcdStorageClass, openstackEtcdStorageCapacity })

/**
 * The volumes of etcds. Every update sets class and size, as the Go extension does. The seed may also serve AWS, so the
 * settings have names of their own.
 */
export const definition = defineWebhook({
  ...etcdWebhook,
  component,
  namespaceSelector: {
    matchExpressions: [{ key: 'seed.gardener.cloud/provider', operator: 'In', values: ['openstack'] }],
  },
  settings,
  review: etcdReviewer<z.output<typeof settings>>(
    one => ({
      storageClass: one.openstackEtcdStorageClass,
      storageCapacity: one.openstackEtcdStorageCapacity,
    }),
    { retains: false },
  ),
})
