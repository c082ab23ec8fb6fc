import type { CloudCall } from '../../../seed/seed.ts'

/** A request to a provider cluster, reported like a cloud call. */
export type ClusterCall = CloudCall

export interface AnsweredRequest {
  readonly method: string
  readonly path: string
  readonly status: number
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'delete',
}

/**
 * Returns `apply networkpolicies infra-x/deny-all`, from a request's path and method. The body is not shown, because it
 * may be a Secret.
 */
export const callOf = ({ method, path, status }: AnsweredRequest): ClusterCall => {
  const url = new URL(path, 'http://localhost')
  const { namespace, plural, name } = targetOf(url.pathname)
  const isApply = method === 'PATCH' && url.searchParams.has('fieldManager')
  const verb = isApply ? 'apply' : method === 'GET' && name === '' ? 'list' : (verbs[method] ?? method)
  const object = namespace === '' ? name : `${namespace}/${name}`
  return {
    service: 'provider cluster',
    action: `${verb} ${plural}`,
    region: undefined,
    input: { ...(name !== '' && { name }), ...(namespace !== '' && { namespace }) },
    isRead: method === 'GET',
    about: name === '' ? '' : ` ${object}`,
    answer: String(status),
    isNotThere: status === 404,
    ...(status >= 400 && { error: String(status) }),
  }
}

const targetOf = (path: string) => {
  // /api/v1/… and /apis/<group>/<version>/…
  const parts = path.split('/').slice(path.startsWith('/api/') ? 3 : 4)
  const isWithin = parts[0] === 'namespaces' && parts.length > 2
  const [plural = '', name = ''] = isWithin ? parts.slice(2) : parts
  return { namespace: isWithin ? (parts[1] ?? '') : '', plural, name }
}
