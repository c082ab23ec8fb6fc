import { type GroupVersionResource, subresources } from './port.ts'

/** RBAC verbs of the Kubernetes port's operations. `replace` is `update`. */
export const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const
export type Verb = (typeof verbs)[number]

/**
 * The parts of an object that a permission can name. No request uses `finalizers`: API servers with the admission
 * plugin OwnerReferencesPermissionEnforcement require `update` of them for an owner reference with blocked deletion
 * (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement).
 */
export const permissionParts = [...subresources, 'finalizers'] as const
export type PermissionPart = (typeof permissionParts)[number]

/** The allowed verbs for the objects of a resource, or for only one part of them. */
export interface Permission {
  readonly resource: GroupVersionResource
  readonly subresource?: PermissionPart
  readonly verbs: readonly Verb[]
}

/** The resource as in RBAC rules, without its group: `dnsrecords`, `dnsrecords/status`. */
export const rbacResource = ({
  resource: { plural },
  subresource,
}: Pick<Permission, 'resource' | 'subresource'>): string =>
  subresource === undefined ? plural : `${plural}/${subresource}`

/**
 * Returns the names of a permission, one per verb: `patch dnsrecords.extensions.gardener.cloud/status`, `get secrets`.
 */
export const namesOf = (permission: Permission): readonly string[] =>
  permission.verbs.map(verb => permissionName(verb, permission.resource, permission.subresource))

export const permissionName = (
  verb: Verb,
  { group, plural }: Pick<GroupVersionResource, 'group' | 'plural'>,
  subresource?: PermissionPart,
): string =>
  `${verb} ${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`
