import type { ResourceDefinition } from '../../resources/resource-definition.ts'

export const objectMetaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/**
 * Returns the schema name that kube-apiserver uses and kubectl shows in errors: `com.example.v1.Widget` for
 * `widgets.example.com`, the Go package for built-in kinds.
 */
export const schemaName = ({ group, kind, custom }: ResourceDefinition, version: string): string => {
  if (custom) return [...group.split('.').reverse(), version, kind].join('.')
  if (group === 'apiextensions.k8s.io')
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`
  return `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`
}
