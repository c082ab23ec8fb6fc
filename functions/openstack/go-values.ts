import { type GoValues, usualGoValues } from '../../shared/text/go-values.ts'

/** The values of the Go extension, from its charts/gardener-extension-provider-openstack/values.yaml. */
export const goValues: GoValues = {
  chart: 'gardener-extension-provider-openstack v1.57.0',
  rules: {
    'monitoring.createClusterFilters': {
      why: 'use monitoring.enabled, which also creates monitors, rules and dashboards',
    },
    ignoreHAReplicas: { why: 'use bridge.replicas, webhook.replicas and seedProcess.replicas' },
    'config.etcd.storage.className': {
      to: 'webhook.env.TRELLIS_OPENSTACK_ETCD_STORAGE_CLASS',
      usual: 'gardener.cloud-fast',
    },
    'config.etcd.storage.capacity': {
      to: 'webhook.env.TRELLIS_OPENSTACK_ETCD_STORAGE_CAPACITY',
      usual: '25Gi',
    },
    'config.etcd.events': {
      why: 'not supported: the volume of etcd-events has the default class of the seed, and 10Gi',
    },
    'config.bastionConfig': { why: 'use spec.bastion of the CloudProfile' },
    ...usualGoValues,
  },
}
