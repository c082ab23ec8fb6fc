import type { OpenStackConnection } from '../../../../terraform-free-infra/openstack/account/openstack.ts'

export interface FakeGroup {
  readonly id: string
  readonly name: string
  readonly policies: readonly string[]
  readonly members: readonly string[]
}

/** A call, as it was sent: `POST os-server-groups`. */
export interface FakeCall {
  readonly name: string
  readonly microversion: string | undefined
  readonly body: unknown
}

interface Answer {
  readonly status: number
  readonly body?: unknown
}

const known = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity']

/** Keystone and the server groups of Nova, for one project. A page has `pageSize` groups. */
export const fakeNova = ({ pageSize = 1_000 }: { readonly pageSize?: number } = {}) => {
  const groups = new Map<string, FakeGroup>()
  const calls: FakeCall[] = []
  let made = 0
  /** Answers a call in place of Nova; `after`: once it has taken effect. */
  let interfere: ((call: FakeCall, when: 'before' | 'after') => Answer | undefined) | undefined

  const catalog = ['compute', 'network', 'load-balancer'].map(type => ({
    type,
    endpoints: [{ interface: 'public', region: 'RegionOne', region_id: 'RegionOne', url: `http://${type}` }],
  }))
  const token = {
    expires_at: '2126-01-01T00:00:00Z',
    project: { id: 'p' },
    user: { id: 'u' },
    catalog,
  }
  const add = (group: Omit<FakeGroup, 'id' | 'members'> & Partial<FakeGroup>): FakeGroup => {
    made++
    const base = `<server group ${group.name}>`
    const added = { members: [], id: groups.has(base) ? `${base}#${made}` : base, ...group }
    groups.set(added.id, added)
    return added
  }
  const refused = (status: number, code: string, message: string): Answer => ({
    status,
    body: { [code]: { code: status, message } },
  })
  const answer = (method: string, url: URL, call: FakeCall): Answer => {
    const [, id] = /os-server-groups\/(.*)$/.exec(decodeURIComponent(url.pathname)) ?? []
    if (method === 'POST') {
      const { name, policies } = Object(call.body).server_group as FakeGroup
      const [policy = ''] = policies
      const allowed = call.microversion === 'compute 2.15' ? known : known.slice(0, 2)
      return allowed.includes(policy)
        ? { status: 200, body: { server_group: add({ name, policies }) } }
        : refused(400, 'badRequest', `Invalid input for field/attribute 0. Value: ${policy}.`)
    }
    if (id === undefined) {
      const offset = Number(url.searchParams.get('offset') ?? 0)
      return {
        status: 200,
        body: { server_groups: [...groups.values()].slice(offset, offset + pageSize) },
      }
    }
    const found = groups.get(id)
    if (found === undefined) return refused(404, 'itemNotFound', `No instances found for group ${id}`)
    if (method === 'GET') return { status: 200, body: { server_group: found } }
    groups.delete(id)
    return { status: 204 }
  }
  const connection: OpenStackConnection = {
    authUrl: 'http://keystone/v3',
    send: async ({ method, url, headers, body }) => {
      const at = new URL(url)
      const isLogin = at.pathname.endsWith('/auth/tokens')
      const call: FakeCall = {
        name: isLogin ? 'login' : `${method} ${decodeURIComponent(at.pathname.replace('/v2.1/', ''))}`,
        microversion: headers['openstack-api-version'],
        body: body === undefined || isLogin ? undefined : JSON.parse(body),
      }
      calls.push(call)
      const own: Answer = isLogin ? { status: 201, body: { token } } : { status: 0 }
      const given = interfere?.(call, 'before') ?? (isLogin ? own : answer(method, at, call))
      const { status, body: answered } = interfere?.(call, 'after') ?? given
      return {
        status,
        headers: { 'content-type': 'application/json', ...(isLogin && { 'x-subject-token': 't' }) },
        body: answered === undefined ? '' : JSON.stringify(answered),
      }
    },
  }
  return {
    connection,
    calls,
    groups,
    add,
    names: () => [...groups.values()].map(({ name }) => name),
    interfereWith: (with_: typeof interfere) => {
      interfere = with_
    },
  }
}
export type FakeNova = ReturnType<typeof fakeNova>
