import type { CalicoContainer, EnvVar } from '../rendering.ts'

/** The address of the API server, where nobody routes to its Service: in the eBPF mode. Somebody else makes the ConfigMap. */
export const endpointOverwrite: NonNullable<CalicoContainer['envFrom']> = [
  { configMapRef: { name: 'kubernetes-services-endpoint', optional: true } },
]

export const nodeName = (name: string): EnvVar => ({
  name,
  valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } },
})
