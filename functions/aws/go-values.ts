import { type GoValues, usualGoValues } from '../../shared/text/go-values.ts'

const ofCustomMtu =
  'not supported: nothing sets the MTU on nodes of the seed. Shoots have enableMTUCustomizer'

/** The values of the Go extension, from its charts/gardener-extension-provider-aws/values.yaml. */
export const goValues: GoValues = {
  chart: 'gardener-extension-provider-aws v1.73.0',
  rules: {
    'controllers.dnsrecord.providerClient*': {
      why: 'not needed: each account has a budget of calls, which shrinks while AWS throttles',
    },
    'config.etcd.storage.className': {
      to: 'webhook.env.TRELLIS_ETCD_STORAGE_CLASS',
      usual: 'gardener.cloud-fast',
    },
    'config.etcd.storage.capacity': { to: 'webhook.env.TRELLIS_ETCD_STORAGE_CAPACITY', usual: '25Gi' },
    'config.featureGates.MTUCustomizer': { why: ofCustomMtu },
    images: { why: ofCustomMtu },
    ...usualGoValues,
  },
}
