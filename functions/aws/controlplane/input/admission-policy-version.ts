import type { Cluster } from '../../../../shared/contract/objects.ts'
import { isAtLeast, type KubernetesVersion } from './read-version.ts'

/**
 * The API version of MutatingAdmissionPolicies in the shoot's API server, or undefined if it has none
 * (docs/contract/control-plane.md#calico-policy). Before 1.36 a user has to enable them.
 */
export const admissionPolicyVersion = (
  { spec: { shoot } }: Cluster,
  version: KubernetesVersion,
): 'v1' | 'v1beta1' | 'v1alpha1' | undefined => {
  if (isAtLeast(version, 36)) return 'v1'
  const offered = isAtLeast(version, 34) ? 'v1beta1' : 'v1alpha1'
  const { featureGates, runtimeConfig } = shoot.spec?.kubernetes?.kubeAPIServer ?? {}
  const isOn =
    featureGates?.MutatingAdmissionPolicy === true &&
    runtimeConfig?.[`admissionregistration.k8s.io/${offered}`] === true
  return isOn ? offered : undefined
}
