import { createHash } from 'node:crypto'
import type { CloudStore } from '../core/store.ts'

/** The domain, projects and users of a new cloud. A password is the name with `-secret`. */
export const domain = 'acme'
const roles: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  gardener: { shoots: ['member', 'net_gateway'] },
  plain: { shoots: ['member'] },
  reader: { shoots: ['reader'] },
  other: { other: ['member'] },
}

/** Returns an id of Keystone that a text determines. */
export const identityId = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32)

export const projectIdOf = (name: string): string => identityId(`project ${domain}/${name}`)
export const userIdOf = (name: string): string => identityId(`user ${domain}/${name}`)

/** An application credential of the user `gardener` in the project `shoots`. */
export const applicationCredential = {
  id: identityId('application credential gardener-app'),
  name: 'gardener-app',
  secret: 'app-secret',
}

export const addPeople = (store: CloudStore): void => {
  for (const name of ['shoots', 'other'])
    store.put('project', { id: projectIdOf(name), project_id: '', name, domain })
  for (const [name, ofProjects] of Object.entries(roles))
    store.put('user', {
      id: userIdOf(name),
      project_id: '',
      name,
      domain,
      password: `${name}-secret`,
      roles: ofProjects,
    })
  store.put('user', {
    id: identityId('user Default/admin'),
    project_id: '',
    name: 'admin',
    domain: 'Default',
    password: 'admin-secret',
    roles: { shoots: ['admin'], admin: ['admin'] },
  })
  store.put('project', {
    id: identityId('project Default/admin'),
    project_id: '',
    name: 'admin',
    domain: 'Default',
  })
  store.put('applicationCredential', {
    ...applicationCredential,
    project_id: projectIdOf('shoots'),
    user_id: userIdOf('gardener'),
    roles: ['member', 'net_gateway'],
    expires: null,
  })
}
