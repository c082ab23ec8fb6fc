import { type GroupVersionResource, subresources } from './port.ts'

/** What RBAC calls the operations of the Kubernetes port. `replace` is `update`. */
export const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const
export type Verb = (typeof verbs)[number]

/**
 * The parts of an object that a permission may be for. `finalizers` no request is made of: API servers with the admission plugin
 * OwnerReferencesPermissionEnforcement ask for `update` of them where an owner is named whose deletion is blocked
 * (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement).
 */
export const permissionParts = [...subresources, 'finalizers'] as const
export type PermissionPart = (typeof permissionParts)[number]

/** What may be done with the objects of a resource, or with one part of them alone. */
export interface Permission {
  readonly resource: GroupVersionResource
  readonly subresource?: PermissionPart
  readonly verbs: readonly Verb[]
}

/** The resource as RBAC rules write it, without its group: `dnsrecords`, `dnsrecords/status`. */
export const rbacResource = ({
  resource: { plural },
  subresource,
}: Pick<Permission, 'resource' | 'subresource'>): string =>
  subresource === undefined ? plural : `${plural}/${subresource}`

/** `patch dnsrecords.extensions.gardener.cloud/status`, `get secrets`: what is told of a permission, one for each verb. */
export const namesOf = (permission: Permission): readonly string[] =>
  permission.verbs.map(verb => permissionName(verb, permission.resource, permission.subresource))

export const permissionName = (
  verb: Verb,
  { group, plural }: Pick<GroupVersionResource, 'group' | 'plural'>,
  subresource?: PermissionPart,
): string =>
  `${verb} ${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`
