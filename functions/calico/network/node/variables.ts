import type { CalicoContainer, EnvVar } from '../rendering.ts'

/**
 * The address of the API server in eBPF mode, where its Service is not routed. Another component creates the ConfigMap.
 */
export const endpointOverwrite: NonNullable<CalicoContainer['envFrom']> = [
  { configMapRef: { name: 'kubernetes-services-endpoint', optional: true } },
]

export const nodeName = (name: string): EnvVar => ({
  name,
  valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } },
})
