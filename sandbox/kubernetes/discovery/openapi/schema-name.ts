import type { ResourceDefinition } from '../../resources/resource-definition.ts'

export const objectMetaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/**
 * The name of a schema as kube-apiserver gives it; kubectl shows it with a fault: `com.example.v1.Widget` for
 * `widgets.example.com`, the name of the Go package for what is built in.
 */
export const schemaName = ({ group, kind, custom }: ResourceDefinition, version: string): string => {
  if (custom) return [...group.split('.').reverse(), version, kind].join('.')
  if (group === 'apiextensions.k8s.io')
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`
  return `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`
}
