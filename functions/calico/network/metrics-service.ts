import type { V1Service } from '@kubernetes/client-node'
import { systemNamespace } from '../../../build/library/components.ts'
import type { Rendered } from '../../../build/library/trellis.ts'
import { labelsOf } from './rendering.ts'

/** Selects the pods of a component, so that the shoot's Prometheus finds them. */
export const metricsService = (name: string, app: string, port: number): Rendered<V1Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: systemNamespace },
  spec: { ports: [{ port, targetPort: port }], selector: labelsOf(app) },
})
