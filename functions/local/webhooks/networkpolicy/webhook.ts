import * as z from 'zod'
import { clusterKind } from '../../../../shared/contract/kinds.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { clusterPermission, reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

const rule = z.looseObject({
  to: z
    .array(z.looseObject({ ipBlock: z.looseObject({ except: z.array(z.string()).nullish() }).nullish() }))
    .nullish(),
})
const policySchema = z.looseObject({ spec: z.looseObject({ egress: z.array(rule).nullish() }).nullish() })

const infraPrefix = 'infra-'

/** Pods with access to private networks also get access to the seed's nodes, because machines are pods there. */
export const definition = defineWebhook({
  name: 'networkpolicy',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [
    { group: 'networking.k8s.io', versions: ['v1'], plural: 'networkpolicies', kind: 'NetworkPolicy' },
  ],
  namespaceSelector: {
    matchExpressions: [{ key: 'seed.gardener.cloud/provider', operator: 'In', values: ['local'] }],
  },
  permissions: [clusterPermission],
  review: reviewerOf(policySchema, async ({ name, namespace = '', object }, lookup) => {
    if (name !== 'allow-to-private-networks') return {}
    const shoot = namespace.startsWith(infraPrefix) ? namespace.slice(infraPrefix.length) : namespace
    const cluster = await lookup.get(clusterKind.resource, { name: shoot })
    // Such policies also exist outside of shoot namespaces (docs/contract/provider-local.md#webhooks).
    const nodes = nodeRangeIn(cluster?.spec)
    return nodes === undefined ? {} : { changed: withoutException(object, nodes) }
  }),
})

const nodeRangeIn = (spec: unknown): string | undefined => {
  const nodes: unknown = Object(Object(Object(Object(spec).seed).spec).networks).nodes
  return typeof nodes === 'string' && nodes !== '' ? nodes : undefined
}

const withoutException = <P extends z.output<typeof policySchema>>(policy: P, range: string): P => ({
  ...policy,
  spec: {
    ...policy.spec,
    egress: policy.spec?.egress?.map(one => ({
      ...one,
      to: one.to?.map(peer => {
        const { ipBlock } = peer
        if (!ipBlock?.except?.includes(range)) return peer
        const { except, ...rest } = ipBlock
        const left = except.filter(excepted => excepted !== range)
        return { ...peer, ipBlock: { ...rest, ...(left.length > 0 && { except: left }) } }
      }),
    })),
  },
})
