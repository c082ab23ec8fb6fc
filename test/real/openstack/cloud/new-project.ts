import { type PlainUser, plain } from './rest.ts'
import { admin, domain } from './seed.ts'
import type { RunningCloud } from './start-cloud.ts'

export interface NewProject extends PlainUser {
  readonly projectId: string
}

/** Creates a project and a user of the same name, so that suites do not see each other's resources. */
export const newProject = async (
  cloud: Pick<RunningCloud, 'url' | 'login'>,
  name: string,
  roles: readonly string[] = ['member', 'net_gateway'],
): Promise<NewProject> => {
  const { token } = await cloud.login(admin)
  const keystone = `${cloud.url('identity')}/v3`
  const get = async (path: string) => (await plain('GET', `${keystone}${path}`, { token })).json
  const create = async (kind: string, body: object) =>
    (await plain('POST', `${keystone}/${kind}s`, { token, body: { [kind]: body } })).json[kind].id as string
  const domain_id = (await get(`/domains?name=${domain}`)).domains[0].id
  const known: { id: string; name: string }[] = (await get('/roles')).roles
  const projectId = await create('project', { name, domain_id })
  const password = `${name}-secret`
  const user = await create('user', { name, domain_id, password })
  for (const role of roles) {
    const id = known.find(one => one.name === role)?.id
    await plain('PUT', `${keystone}/projects/${projectId}/users/${user}/roles/${id}`, { token })
  }
  return { user: name, password, domain, project: name, projectId }
}
