import type { V1MutatingAdmissionPolicy, V1MutatingAdmissionPolicyBinding } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Component, Rendering } from '../objects/workload.ts'
import { networkUnavailable } from './network-unavailable.ts'

const policyName = 'block-calico-network-unavailable'

/**
 * Prevents Calico from setting the network of nodes to unavailable if the route controller reports it
 * (docs/contract/control-plane.md#calico-policy).
 */
export const calicoPolicy: Component = {
  shoot: rendering => {
    const version = policyVersion(rendering)
    if (version === undefined) return []
    const apiVersion = `admissionregistration.k8s.io/${version}`
    return [policy(apiVersion), binding(apiVersion)]
  },
}

const policyVersion = ({ networking, admissionPolicyVersion }: Rendering): string | undefined =>
  networking.isCalico && !networking.hasOverlay ? admissionPolicyVersion : undefined

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
