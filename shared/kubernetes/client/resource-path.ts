import type { GroupVersionResource, ObjectKey } from '../port.ts'

/** Returns the path of a collection: `/apis/extensions.gardener.cloud/v1alpha1/namespaces/foo/dnsrecords`. */
export const collectionPath = (resource: GroupVersionResource, namespace: string | undefined): string => {
  const root =
    resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  refuseDots(resource, namespace)
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${root}${scope}/${resource.plural}`
}

/** No object has such a name. In a path it would lead to other objects. */
const refuseDots = ({ plural }: GroupVersionResource, segment: string | undefined): void => {
  if (segment === '.' || segment === '..')
    throw new TypeError(`cannot address ${plural}: . and .. are not names`)
}

const fitsScope = (resource: GroupVersionResource, namespace: string | undefined, what: string): void => {
  if (resource.namespaced === (namespace !== undefined)) return
  const rule = resource.namespaced ? 'needed' : 'not allowed'
  throw new TypeError(`cannot address ${resource.plural} ${what}: a namespace is ${rule}`)
}

/** Returns the path for creating an object. Throws if the namespace does not fit the resource's scope. */
export const creationPath = (resource: GroupVersionResource, namespace: string | undefined): string => {
  fitsScope(resource, namespace, '')
  return collectionPath(resource, namespace)
}

/** Returns the path of an object or its subresource. Throws if the key does not fit the resource's scope. */
export const objectPath = (resource: GroupVersionResource, key: ObjectKey, subresource?: string): string => {
  fitsScope(resource, key.namespace, key.name)
  refuseDots(resource, key.name)
  const tail = subresource === undefined ? '' : `/${subresource}`
  return `${collectionPath(resource, key.namespace)}/${encodeURIComponent(key.name)}${tail}`
}

/** Returns `?a=1&b=true` for the defined values, or an empty text. */
export const queryString = (
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
