import * as z from 'zod'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  cloudproviderName,
  clusterPermission,
  readCluster,
  reviewerOf,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { keystoneOf } from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import { cloudProfileConfigOf } from '../cloud-profile.ts'
import { component, shootNamespaces } from '../registration.ts'

/** The API server sends a key without a value as null. */
const secretSchema = z.looseObject({ data: z.record(z.string(), z.string().nullable()).nullish() })

/**
 * The Secret with the OpenStack credentials of a shoot. Adds how its components reach Keystone. Users cannot choose an
 * URL of their own, and cannot switch off the check of certificates.
 */
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
    const region = cluster.spec.shoot.spec?.region ?? ''
    const keystone = keystoneOf(cloudProfileConfigOf(cluster), region)
    if (keystone === undefined)
      throw configurationProblem(
        `could not find KeyStoneUrl: cannot find keystone URL for region ${JSON.stringify(region)}`,
      )
    const { ca, insecure = false } = keystone.tls
    const { insecure: _, ...data } = object.data ?? {}
    const added = {
      authURL: keystone.url,
      ...(ca !== undefined && { caCert: ca }),
      ...(insecure && { insecure: 'true' }),
    }
    return { changed: { ...object, data: { ...data, ...encoded(added) } } }
  }),
})

const encoded = (data: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
