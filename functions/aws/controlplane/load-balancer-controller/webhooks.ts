import type {
  V1MutatingWebhook,
  V1MutatingWebhookConfiguration,
  V1ValidatingWebhookConfiguration,
} from '@kubernetes/client-node'
import type { Json, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Rendering } from '../objects/workload.ts'
import {
  loadBalancerControllerLabels as labels,
  loadBalancerControllerName,
  webhookServiceName,
} from './names.ts'

const apiVersion = 'admissionregistration.k8s.io/v1'
const name = `${loadBalancerControllerName}-webhook`

type LoadBalancerWebhook = Pick<
  Json<V1MutatingWebhook>,
  'name' | 'rules' | 'namespaceSelector' | 'objectSelector' | 'matchPolicy'
>

type WebhookToCall = LoadBalancerWebhook & { readonly path: string }

const elbv2 = { group: 'elbv2.k8s.aws', version: 'v1beta1' }
const createOrUpdate = ['CREATE', 'UPDATE']

const rulesFor = (
  { group, version }: { readonly group: string; readonly version: string },
  resource: string,
  operations: readonly string[] = createOrUpdate,
) => [{ apiGroups: [group], apiVersions: [version], operations, resources: [resource] }]

const notTheController = {
  matchExpressions: [
    { key: 'app.kubernetes.io/name', operator: 'NotIn', values: [loadBalancerControllerName] },
  ],
}

const mutating: readonly WebhookToCall[] = [
  {
    name: 'mpod.elbv2.k8s.aws',
    path: 'mutate-v1-pod',
    namespaceSelector: {
      matchExpressions: [
        { key: 'elbv2.k8s.aws/pod-readiness-gate-inject', operator: 'In', values: ['enabled'] },
      ],
    },
    objectSelector: notTheController,
    rules: rulesFor({ group: '', version: 'v1' }, 'pods', ['CREATE']),
  },
  {
    name: 'mtargetgroupbinding.elbv2.k8s.aws',
    path: 'mutate-elbv2-k8s-aws-v1beta1-targetgroupbinding',
    rules: rulesFor(elbv2, 'targetgroupbindings'),
  },
]

const validating: readonly WebhookToCall[] = [
  {
    name: 'vingressclassparams.elbv2.k8s.aws',
    path: 'validate-elbv2-k8s-aws-v1beta1-ingressclassparams',
    objectSelector: notTheController,
    rules: rulesFor(elbv2, 'ingressclassparams'),
  },
  {
    name: 'vtargetgroupbinding.elbv2.k8s.aws',
    path: 'validate-elbv2-k8s-aws-v1beta1-targetgroupbinding',
    rules: rulesFor(elbv2, 'targetgroupbindings'),
  },
  {
    name: 'vingress.elbv2.k8s.aws',
    path: 'validate-networking-v1-ingress',
    matchPolicy: 'Equivalent',
    rules: rulesFor({ group: 'networking.k8s.io', version: 'v1' }, 'ingresses'),
  },
]

const called = ({ namespace, generated }: Rendering, { path, ...webhook }: WebhookToCall) => ({
  ...webhook,
  clientConfig: {
    caBundle: Buffer.from(generated.caBundle).toString('base64'),
    url: `https://${webhookServiceName}.${namespace}:443/${path}`,
  },
  failurePolicy: 'Fail',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
})

/** The shoot's API server calls the controller before it writes pods, ingresses and the controller's own objects. */
export const loadBalancerWebhooks = (
  rendering: Rendering,
): readonly [Rendered<V1MutatingWebhookConfiguration>, Rendered<V1ValidatingWebhookConfiguration>] => [
  {
    apiVersion,
    kind: 'MutatingWebhookConfiguration',
    metadata: { name, labels },
    webhooks: mutating.map(webhook => called(rendering, webhook)),
  },
  {
    apiVersion,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name, labels },
    webhooks: validating.map(webhook => called(rendering, webhook)),
  },
]
