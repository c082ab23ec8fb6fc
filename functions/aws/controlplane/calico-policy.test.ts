import { describe, expect, test } from 'vitest'
import { addedBy, renderedOf } from './testing/control-plane.ts'

describe('the policy against Calico', () => {
  const noOverlay = { providerConfig: { overlay: { enabled: false } } }
  const policies = [
    'MutatingAdmissionPolicy block-calico-network-unavailable',
    'MutatingAdmissionPolicyBinding block-calico-network-unavailable-binding',
  ]
  const switchedOn = (version: string) => ({
    kubeAPIServer: {
      featureGates: { MutatingAdmissionPolicy: true },
      runtimeConfig: { [`admissionregistration.k8s.io/${version}`]: true },
    },
  })

  test.each([
    ['1.36.0', {}, 'v1'],
    ['1.34.2', switchedOn('v1beta1'), 'v1beta1'],
    ['1.33.3', switchedOn('v1alpha1'), 'v1alpha1'],
  ])('exists in %s', (version, kubernetes, expected) => {
    const asked = { version, kubernetes, networking: noOverlay }
    expect(addedBy(asked)).toEqual(policies)
    const { find } = renderedOf(asked)
    expect(find('MutatingAdmissionPolicy', 'block-calico-network-unavailable')?.apiVersion).toBe(
      `admissionregistration.k8s.io/${expected}`,
    )
  })

  test.each([
    ['if the API server has no admission policies', { version: '1.35.0' }],
    [
      'with the gate alone',
      {
        version: '1.34.2',
        kubernetes: { kubeAPIServer: { featureGates: { MutatingAdmissionPolicy: true } } },
      },
    ],
    [
      'with the version alone',
      {
        version: '1.34.2',
        kubernetes: {
          kubeAPIServer: {
            featureGates: { MutatingAdmissionPolicy: false },
            runtimeConfig: { 'admissionregistration.k8s.io/v1beta1': true },
          },
        },
      },
    ],
    ['with the other version alone', { version: '1.34.2', kubernetes: switchedOn('v1alpha1') }],
    ['with another network', { version: '1.36.0', networking: { ...noOverlay, type: 'cilium' } }],
    [
      'with an overlay',
      { version: '1.36.0', networking: { providerConfig: { overlay: { enabled: true } } } },
    ],
  ])('does not exist %s', (_, asked) => {
    expect(addedBy({ networking: noOverlay, ...asked })).toEqual([])
  })
})
