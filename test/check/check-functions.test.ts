import { afterEach, describe, expect, test } from 'vitest'
import { functionFolder, importLine, imports, importZod } from '../../functions/testing/function-folder.ts'
import { formatDefinitionProblem } from '../../shared/runtime/runtime.ts'
import { checkFunctions } from './check-functions.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of undo.splice(0)) await remove()
})

/** Returns the problems of a function with one permission on line 10 and `work` as its code. */
const problemsOf = async (permission: string, work: string, more: Readonly<Record<string, string>> = {}) => {
  const folder = await functionFolder({
    'acme/dnsrecord/function.ts': `${imports}import { machines, zones } from './resources.ts'
import { work } from './work.ts'
export const definition = defineFunction({
  name: 'acme-dns',
  kind: 'DNSRecord',
  type: 'acme',
  permissions: [
    { ${permission}, why: 'So.' },
  ],
  create: () => ({ reconcile: async ({ kubernetes }) => (await work(kubernetes), done()), remove: async () => done() }),
})
`,
    'acme/dnsrecord/resources.ts': `
export const machines = { group: 'machine.sapcloud.io', version: 'v1alpha1', plural: 'machines', namespaced: true }
export const zones = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
`,
    'acme/dnsrecord/work.ts': work,
    ...more,
  })
  undo.push(folder.remove)
  const problems = await checkFunctions(folder.root)
  return problems.map(problem => formatDefinitionProblem(problem).replace(`${folder.root}/`, ''))
}

const listMachines = `resource: machines, verbs: ['list']`
const unused = (name: string) => [
  `acme/dnsrecord/function.ts:10: permissions[0]: no code of acme-dns uses ${name}. Remove it`,
]

describe('an unused permission is reported with file and line', () => {
  test('it is unused if the code uses the resource and the verb, but not together', async () => {
    const work = `import { machines, zones } from './resources.ts'
export const work = async (kubernetes) => [await kubernetes.get(machines, {}), await kubernetes.list(zones)]`
    expect(await problemsOf(listMachines, work)).toEqual(unused('list machines.machine.sapcloud.io'))
  })

  test('it is unused if only a method of another object has that name', async () => {
    const work = `import { machines } from './resources.ts'
export const work = async (_, key) => [machines, new Map().get(key)]`
    expect(await problemsOf(`resource: machines, verbs: ['get']`, work)).toEqual(
      unused('get machines.machine.sapcloud.io'),
    )
  })

  test('it is unused if only the imported lifecycle and client use it', async () => {
    const work = `${importLine('{ done }', 'shared/lifecycle/lifecycle.ts')}
${importLine('{ KubernetesError }', 'shared/kubernetes/kubernetes.ts')}
import { machines } from './resources.ts'
export const work = async () => [machines, KubernetesError, done()]`
    expect(await problemsOf(`resource: machines, verbs: ['get', 'patch']`, work)).toEqual([
      ...unused('get machines.machine.sapcloud.io'),
      ...unused('patch machines.machine.sapcloud.io'),
    ])
  })

  test('a permission for the object is unused if only its status is written, and vice versa', async () => {
    const status = `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.patch(machines, {}, {}, { subresource: 'status' })`
    expect(await problemsOf(`resource: machines, verbs: ['patch']`, status)).toEqual(
      unused('patch machines.machine.sapcloud.io'),
    )
    const whole = `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.patch(machines, {}, {}, { signal: undefined })`
    expect(await problemsOf(`resource: machines, subresource: 'status', verbs: ['patch']`, whole)).toEqual(
      unused('patch machines.machine.sapcloud.io/status'),
    )
  })

  test('apply uses both create and patch', async () => {
    const work = `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.apply(machines, {}, { fieldManager: 'x' })`
    expect(await problemsOf(`resource: machines, verbs: ['create', 'patch', 'delete']`, work)).toEqual(
      unused('delete machines.machine.sapcloud.io'),
    )
  })

  test('a permission for the scale is unused if only the status is written, and vice versa', async () => {
    const write = (part: string) => `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.patch(machines, {}, {}, { subresource: '${part}' })`
    const permission = (part: string) => `resource: machines, subresource: '${part}', verbs: ['patch']`
    expect(await problemsOf(permission('scale'), write('status'))).toEqual(
      unused('patch machines.machine.sapcloud.io/scale'),
    )
    expect(await problemsOf(permission('status'), write('scale'))).toEqual(
      unused('patch machines.machine.sapcloud.io/status'),
    )
    expect(await problemsOf(permission('scale'), write('scale'))).toEqual([])
  })

  test('a permission for finalizers is unused if no owner blocks its deletion', async () => {
    const owned = (blocks: string) => `import { machines } from './resources.ts'
export const owner = { name: machines.plural, blockOwnerDeletion: ${blocks} }`
    const permission = `resource: machines, subresource: 'finalizers', verbs: ['update']`
    expect(await problemsOf(permission, owned('false'))).toEqual(
      unused('update machines.machine.sapcloud.io/finalizers'),
    )
    expect(await problemsOf(permission, owned('true'))).toEqual([])
  })

  test('each verb is checked separately', async () => {
    const work = `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.list(machines)`
    expect(await problemsOf(`resource: machines, verbs: ['list', 'watch', 'delete']`, work)).toEqual([
      ...unused('watch machines.machine.sapcloud.io'),
      ...unused('delete machines.machine.sapcloud.io'),
    ])
  })

  test('it is unused if only the definition names it, even if the lifecycle has the verb', async () => {
    expect(await problemsOf(`resource: zones, verbs: ['get']`, 'export const work = () => {}')).toEqual(
      unused('get configmaps'),
    )
  })
})

describe('a permission is used', () => {
  test.each([
    [
      'by a call of the port',
      listMachines,
      `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.list(machines)`,
    ],
    [
      'by a port of any name, whose resource is written there',
      listMachines,
      `export const work = seed => seed.list({ group: 'machine.sapcloud.io', plural: 'machines' })`,
    ],
    [
      'by way of a constant of the file',
      listMachines,
      `import * as resources from './resources.ts'
const known = { one: resources.machines }
const { one } = known
export const work = kubernetes => kubernetes.list(one)`,
    ],
    [
      'by a helper that is handed the resource',
      listMachines,
      `import { machines } from './resources.ts'
const all = (kubernetes, resource) => kubernetes.list(resource)
export const work = kubernetes => all(kubernetes, machines)`,
    ],
    [
      'by a helper whose parameter hides a constant',
      listMachines,
      `import { machines, zones as resource } from './resources.ts'
const all = (kubernetes, resource) => kubernetes.list(resource)
export const work = kubernetes => [all(kubernetes, machines), resource]`,
    ],
    [
      'by code that is loaded when it is needed',
      listMachines,
      `export const work = async kubernetes => (await import('./later.ts')).later(kubernetes)`,
    ],
    [
      'by replacing, which RBAC calls an update',
      `resource: machines, verbs: ['update']`,
      `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.replace(machines, {})`,
    ],
    [
      'by a write of the status',
      `resource: machines, subresource: 'status', verbs: ['patch']`,
      `import { machines } from './resources.ts'
export const work = kubernetes => kubernetes.patch(machines, {}, {}, { subresource: 'status' })`,
    ],
    [
      'by a write whose options come from elsewhere',
      `resource: machines, subresource: 'status', verbs: ['patch']`,
      `import { machines } from './resources.ts'
export const work = (kubernetes, options) => kubernetes.patch(machines, {}, {}, options)`,
    ],
  ])('%s', async (_, permission, work) => {
    const later = `import { machines } from './resources.ts'
export const later = kubernetes => kubernetes.list(machines)`
    const more = work.includes('./later.ts') ? { 'acme/dnsrecord/later.ts': later } : {}
    expect(await problemsOf(permission, work, more)).toEqual([])
  })
})

test('the check reports a permission that the lifecycle already has', async () => {
  const permission = `resource: { group: '', version: 'v1', plural: 'secrets', namespaced: true }, verbs: ['get']`
  expect(await problemsOf(permission, 'export const work = () => {}')).toEqual([
    'acme/dnsrecord/function.ts:5: permissions[0]: the lifecycle already has the permission to get secrets. Remove it',
  ])
})

test('the check reads the function even if another file creates the definition', async () => {
  const folder = await functionFolder({
    'acme/testing/define-acme.ts': `${imports}export const defineAcme = (kind, permissions, work) => defineFunction({
  name: 'acme', kind, type: 'acme',
  permissions,
  create: () => ({ reconcile: async ({ kubernetes }) => (await work(kubernetes), done()), remove: async () => done() }),
})
`,
    'acme/dnsrecord/function.ts': `import { defineAcme } from '../testing/define-acme.ts'
const machines = { group: 'machine.sapcloud.io', version: 'v1alpha1', plural: 'machines', namespaced: true }
export const definition = defineAcme('DNSRecord', [{ resource: machines, verbs: ['list', 'get'], why: 'So.' }],
  kubernetes => kubernetes.list(machines))
`,
  })
  undo.push(folder.remove)
  const problems = await checkFunctions(folder.root)
  expect(problems.map(({ message }) => message)).toEqual([
    'permissions[0]: no code of acme uses get machines.machine.sapcloud.io. Remove it',
  ])
})

test('the check reports a setting without a description', async () => {
  const folder = await functionFolder({
    'acme/dnsrecord/function.ts': `${imports}${importZod}export const definition = defineFunction({
  name: 'acme-dns', kind: 'DNSRecord', type: 'acme', settings: z.object({ zone: z.string() }),
  create: () => ({ reconcile: async () => done(), remove: async () => done() }),
})
`,
  })
  undo.push(folder.remove)
  const problems = (await checkFunctions(folder.root)).map(formatDefinitionProblem)
  expect(problems).toEqual([
    expect.stringMatching(/function\.ts:4: settings: the setting zone has no description$/),
  ])
})
