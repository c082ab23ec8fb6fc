import * as z from 'zod'
import type { Reviewer, WebhookOptions } from '../../admission/admission.ts'
import { reviewerOf } from './objects.ts'

const optionalText = z.string().nullish()
const etcdSchema = z.looseObject({
  spec: z.looseObject({
    storageClass: optionalText,
    storageCapacity: z.union([z.string(), z.number()]).nullish(),
  }),
})

/** Class and size of a volume. */
export interface EtcdVolume {
  /** The StorageClass. Empty: the seed's default class. */
  readonly storageClass: string
  /** The size: `10Gi`. */
  readonly storageCapacity: string
}

/** The volume of every etcd except `etcd-main`, and of `etcd-main` if the operator sets no values. */
const usual: EtcdVolume = { storageClass: '', storageCapacity: '10Gi' }

/** The fields of settings for the volume of `etcd-main`. A definition chooses their names. */
export const etcdVolumeSettings = () => ({
  storageClass: z.string().default(usual.storageClass).meta({
    description: "StorageClass for the volumes of the shoots' etcds. Empty: the seed's default class.",
  }),
  storageCapacity: z
    .string()
    .min(1)
    .default(usual.storageCapacity)
    .meta({ description: "Size of the volumes of the shoots' etcds." }),
})

const names = ['etcd-main', 'etcd-events', 'virtual-garden-etcd-main', 'virtual-garden-etcd-events']

/** The parts of the webhook `seedprovider` that are the same for all providers. */
export const etcdWebhook = {
  name: 'seedprovider',
  action: 'mutate',
  target: 'seed',
  resources: [{ group: 'druid.gardener.cloud', versions: ['v1alpha1'], plural: 'etcds', kind: 'Etcd' }],
} as const satisfies Partial<WebhookOptions>

/**
 * Creates the reviewer of a webhook `seedprovider`: it sets class and size of the volumes of Gardener's Etcds.
 *
 * @param mainOf returns the volume of `etcd-main`
 * @param retains true: an update retains the values of the old object
 */
export const etcdReviewer = <Settings>(
  mainOf: (settings: Settings) => EtcdVolume,
  { retains }: { readonly retains: boolean },
): Reviewer<Settings> =>
  reviewerOf<typeof etcdSchema, Settings>(etcdSchema, ({ name, object, oldObject }, _, settings) => {
    if (!names.includes(name)) return {}
    const wanted = name === 'etcd-main' ? mainOf(settings) : usual
    const old = retains ? oldObject?.spec : undefined
    return {
      changed: {
        ...object,
        spec: {
          ...object.spec,
          storageClass: old?.storageClass ?? wanted.storageClass,
          storageCapacity: old?.storageCapacity ?? wanted.storageCapacity,
        },
      },
    }
  })
