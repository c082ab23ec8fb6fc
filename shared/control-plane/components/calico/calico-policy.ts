import type { V1MutatingAdmissionPolicy, V1MutatingAdmissionPolicyBinding } from '@kubernetes/client-node'
import type { Cluster } from '../../../contract/objects.ts'
import type { KubernetesObject, Rendered } from '../../../kubernetes/kubernetes.ts'
import { isAtLeast, type KubernetesVersion, type ShootNetworking } from '../shoot-values.ts'
import { networkUnavailable } from './network-unavailable.ts'

const policyName = 'block-calico-network-unavailable'

export type AdmissionPolicyVersion = 'v1' | 'v1beta1' | 'v1alpha1'

/**
 * Returns the API version of MutatingAdmissionPolicies in the shoot's API server, or undefined if it has none
 * (docs/contract/control-plane.md#calico-policy). Before 1.36 a user has to enable them.
 */
export const admissionPolicyVersion = (
  { spec: { shoot } }: Cluster,
  version: KubernetesVersion,
): AdmissionPolicyVersion | undefined => {
  if (isAtLeast(version, 36)) return 'v1'
  const offered = isAtLeast(version, 34) ? 'v1beta1' : 'v1alpha1'
  const { featureGates, runtimeConfig } = shoot.spec?.kubernetes?.kubeAPIServer ?? {}
  const isOn =
    featureGates?.MutatingAdmissionPolicy === true &&
    runtimeConfig?.[`admissionregistration.k8s.io/${offered}`] === true
  return isOn ? offered : undefined
}

/**
 * Returns the objects in the shoot that prevent Calico from setting the network of nodes to unavailable, because a route
 * controller reports it (docs/contract/control-plane.md#calico-policy).
 */
export const calicoPolicy = ({
  networking,
  admissionPolicyVersion: version,
}: {
  readonly networking: Pick<ShootNetworking, 'isCalico' | 'hasOverlay'>
  readonly admissionPolicyVersion: AdmissionPolicyVersion | undefined
}): readonly KubernetesObject[] => {
  if (version === undefined || !networking.isCalico || networking.hasOverlay) return []
  const apiVersion = `admissionregistration.k8s.io/${version}`
  return [policy(apiVersion), binding(apiVersion)]
}

/** The older versions have the same fields. */
const policy = (apiVersion: string): Rendered<V1MutatingAdmissionPolicy> => ({
  apiVersion,
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: policyName },
  spec: {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'IfNeeded',
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['nodes/status'] },
      ],
    },
    matchConditions: [
      {
        name: 'is-calico-node',
        expression: 'request.userInfo.username == "system:serviceaccount:kube-system:calico-node"',
      },
      {
        name: 'has-network-unavailable-in-request',
        expression: `object.status.conditions.exists(c, c.type == '${networkUnavailable}')`,
      },
    ],
    variables: [
      {
        name: 'oldNetworkUnavailableCondition',
        // Two spaces, as in the existing object: a different text would update it.
        expression: `has(oldObject.status) && has(oldObject.status.conditions) ?  oldObject.status.conditions.filter(c, c.type == '${networkUnavailable}') : []`,
      },
      {
        name: 'conditionsWithoutNetworkUnavailable',
        expression: `object.status.conditions.filter(c, c.type != '${networkUnavailable}')`,
      },
      {
        name: 'finalConditions',
        expression:
          'variables.oldNetworkUnavailableCondition.size() > 0 ? variables.conditionsWithoutNetworkUnavailable + variables.oldNetworkUnavailableCondition : variables.conditionsWithoutNetworkUnavailable',
      },
    ],
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: replaceConditions } }],
  },
})

const replaceConditions = `[
  JSONPatch{
    op: "replace",
    path: "/status/conditions",
    value: variables.finalConditions
  }
]
`

const binding = (apiVersion: string): Rendered<V1MutatingAdmissionPolicyBinding> => ({
  apiVersion,
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: `${policyName}-binding` },
  spec: { policyName },
})
