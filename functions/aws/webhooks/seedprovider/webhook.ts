import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../registration.ts'

const optionalText = z.string().nullish()

const etcdSchema = z.looseObject({
  spec: z.looseObject({
    storageClass: optionalText,
    storageCapacity: z.union([z.string(), z.number()]).nullish(),
  }),
})

/** The defaults for every etcd except `etcd-main`, and for `etcd-main` if the operator sets no values. */
const usual = { storageClass: '', storageCapacity: '10Gi' }

const settings = z.object({
  etcdStorageClass: z.string().default(usual.storageClass).meta({
    description: "StorageClass for the volumes of the shoots' etcds. Empty: the seed's default class.",
  }),
  etcdStorageCapacity: z
    .string()
    .min(1)
    .default(usual.storageCapacity)
    .meta({ description: "Size of the volumes of the shoots' etcds." }),
})

const names = ['etcd-main', 'etcd-events', 'virtual-garden-etcd-main', 'virtual-garden-etcd-events']

/** The volumes of etcds. Their class and size are set once, because they are immutable on existing volumes. */
export const definition = defineWebhook({
  name: 'seedprovider',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [{ group: 'druid.gardener.cloud', versions: ['v1alpha1'], plural: 'etcds', kind: 'Etcd' }],
  namespaceSelector: {
    matchExpressions: [{ key: 'seed.gardener.cloud/provider', operator: 'In', values: ['aws'] }],
  },
  settings,
  review: reviewerOf<typeof etcdSchema, z.output<typeof settings>>(
    etcdSchema,
    ({ name, object, oldObject }, _, { etcdStorageClass, etcdStorageCapacity }) => {
      if (!names.includes(name)) return {}
      const wanted =
        name === 'etcd-main'
          ? { storageClass: etcdStorageClass, storageCapacity: etcdStorageCapacity }
          : usual
      return {
        changed: {
          ...object,
          spec: {
            ...object.spec,
            storageClass: oldObject?.spec.storageClass ?? wanted.storageClass,
            storageCapacity: oldObject?.spec.storageCapacity ?? wanted.storageCapacity,
          },
        },
      }
    },
  ),
})
