import * as z from 'zod'
import { hasManagedInfrastructure } from '../../../../shared/contract/cluster-facts.ts'
import { clusterKind } from '../../../../shared/contract/kinds.ts'
import { parseCluster } from '../../../../shared/contract/parse.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  changeContainer,
  changePod,
  changeTemplate,
  clusterPermission,
  deploymentSchema,
  ensureItem,
  reviewerOf,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

const daemonSetSchema = z.looseObject({ spec: deploymentSchema.shape.spec })

/** Half of the pod network. The other half is for machines of shoots. */
const poolRange = { name: 'CALICO_IPV4POOL_CIDR', value: '10.1.0.0/16' }

/**
 * Calico in a self-hosted shoot on machines of others: its pods leave addresses for machines of other shoots. Such a
 * shoot contains its own Cluster, in the namespace of its control plane.
 */
export const definition = defineWebhook({
  name: 'calico-self-hosted-shoot',
  component,
  action: 'mutate',
  target: 'shoot',
  resources: [{ group: 'apps', versions: ['v1'], plural: 'daemonsets', kind: 'DaemonSet' }],
  namespaceSelector: {
    matchLabels: { 'gardener.cloud/role': 'shoot', 'kubernetes.io/metadata.name': 'kube-system' },
  },
  objectSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['calico-node'] }] },
  permissions: [clusterPermission],
  review: reviewerOf(daemonSetSchema, async ({ object }, lookup) => {
    const found = await lookup.get(clusterKind.resource, { name: 'kube-system' })
    const parsed = found && parseCluster(found)
    if (parsed === undefined || !parsed.ok || hasManagedInfrastructure(parsed.object)) return {}
    return {
      changed: changeTemplate(object, template =>
        changePod(template, pod =>
          changeContainer(pod, 'calico-node', container => ({
            ...container,
            env: [...ensureItem(container.env, 'name', poolRange)],
          })),
        ),
      ),
    }
  }),
})
