import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

export interface StandIn {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly annotations?: Readonly<Record<string, string>>
  /** The schema of `spec`: the fields that manifests use. Any other field is unknown and refused. */
  readonly spec: object
}

/** Returns a third-party definition with only the fields that manifests here use. */
export const standIn = ({ group, version, kind, scope, annotations, spec }: StandIn): KubernetesObject => {
  const singular = kind.toLowerCase()
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}`, ...(annotations && { annotations }) },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              required: ['spec'],
              properties: {
                spec,
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
      ],
    },
  }
}

export const text = { type: 'string' }
export const oneOf = (...names: readonly string[]) => ({ ...text, enum: names })
export const listOf = (items: object) => ({ type: 'array', items })
export const mapOf = (additionalProperties: object) => ({ type: 'object', additionalProperties })
export const having = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
