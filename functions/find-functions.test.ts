import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { DefinitionError } from '../shared/runtime/runtime.ts'
import { findFunctions } from './find-functions.ts'
import { functionFolder, imports } from './testing/function-folder.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of undo.splice(0)) await remove()
})

const folderOf = async (files: Readonly<Record<string, string>>) => {
  const folder = await functionFolder(files)
  undo.push(folder.remove)
  return folder.root
}

const fn = (fields: string) => `${imports}
export const definition = defineFunction({
  ${fields},
  create: () => ({ reconcile: async () => done(), remove: async () => done() }),
})
`
/** The line of `defineFunction` in that file. */
const line = 4

const problemsIn = async (files: Readonly<Record<string, string>>) => {
  const root = await folderOf(files)
  const error: unknown = await findFunctions(root).catch(thrown => thrown)
  expect(error).toBeInstanceOf(DefinitionError)
  return (error as DefinitionError).message.replaceAll(`${root}/`, '').split('\n')
}

const dns = `name: 'acme-dns', kind: 'DNSRecord', type: 'acme'`

describe('functions are found by their files', () => {
  test('in this repository, by name', async () => {
    const found = await findFunctions()
    expect(found.map(({ name, kind, types, classes }) => [name, kind, types, classes])).toEqual(
      expect.arrayContaining([
        ['aws-dnsrecord', 'DNSRecord', ['aws-route53'], ['shoot', 'seed', 'garden']],
        ['aws-infrastructure', 'Infrastructure', ['aws'], ['shoot']],
      ]),
    )
    expect(found.map(({ name }) => name)).toEqual(found.map(({ name }) => name).toSorted())
  })

  test('in any folder, as source and as published', async () => {
    const root = await folderOf({
      'acme/dnsrecord/function.ts': fn(dns),
      'acme/dnsrecord/zone.ts': 'export const zone = 1',
      'acme/provider.ts': 'export const provider = {}',
      'acme/testing/account.ts': 'export const account = 1',
      'other/network/function.js': fn(`name: 'other-network', kind: 'Network', type: 'other'`),
      'README.md': '# Functions',
    })
    const found = await findFunctions(root)
    expect(found.map(({ name, file }) => [name, file])).toEqual([
      ['acme-dns', join(root, 'acme/dnsrecord/function.ts')],
      ['other-network', join(root, 'other/network/function.js')],
    ])
  })

  test('of one kind and type for different classes', async () => {
    const root = await folderOf({
      'acme/dnsrecord/function.ts': fn(`${dns}, classes: ['shoot']`),
      'acme/garden/function.ts': fn(
        `name: 'acme-garden', kind: 'DNSRecord', type: 'acme', classes: ['garden', 'seed']`,
      ),
    })
    expect(await findFunctions(root)).toHaveLength(2)
  })
})

describe('an error is reported with file and line', () => {
  test('two functions for one kind, type and class', async () => {
    expect(
      await problemsIn({
        'acme/dnsrecord/function.ts': fn(`${dns}, classes: ['shoot', 'garden']`),
        'acme/garden/function.ts': fn(
          `name: 'acme-garden', kind: 'DNSRecord', type: 'acme', classes: ['garden', 'seed']`,
        ),
      }),
    ).toEqual([
      `acme/garden/function.ts:${line}: DNSRecord of type acme in class garden already has a primary function: acme/dnsrecord/function.ts:${line}. Give the other the role 'secondary'`,
    ])
  })

  test('two functions with a type of one kind in common', async () => {
    expect(
      await problemsIn({
        'acme/dnsrecord/function.ts': fn(
          `name: 'acme-dns', kind: 'DNSRecord', type: ['acme', 'acme-fast', 'acme-old']`,
        ),
        'other/dnsrecord/function.ts': fn(
          `name: 'other-dns', kind: 'DNSRecord', type: ['acme-old', 'other', 'acme']`,
        ),
      }),
    ).toEqual([
      `other/dnsrecord/function.ts:${line}: DNSRecord of type acme-old, acme in class shoot already has a primary function: acme/dnsrecord/function.ts:${line}. Give the other the role 'secondary'`,
    ])
  })

  test('two functions with a condition in common, of which one may be secondary', async () => {
    const secondary = (name: string, condition: string) =>
      fn(`role: 'secondary', name: '${name}', kind: 'DNSRecord', type: 'acme', conditions: ['${condition}']`)
    expect(
      await problemsIn({
        'acme/a/function.ts': secondary('acme-a', 'A'),
        'acme/b/function.ts': secondary('acme-b', 'A'),
        'acme/c/function.ts': secondary('acme-c', 'C'),
        'acme/dnsrecord/function.ts': fn(dns),
      }),
    ).toEqual([
      `acme/b/function.ts:${line}: the condition A is already written by acme/a/function.ts:${line}. Choose another type`,
    ])
  })

  test('two functions of one name', async () => {
    expect(
      await problemsIn({
        'acme/dnsrecord/function.ts': fn(dns),
        'acme/network/function.ts': fn(`name: 'acme-dns', kind: 'Network', type: 'acme'`),
      }),
    ).toEqual([
      `acme/network/function.ts:${line}: the name acme-dns is already used by acme/dnsrecord/function.ts:${line}: a Knative Service has one function`,
    ])
  })

  test.each([
    [
      'a folder without a function',
      { 'acme/bastion/notes.md': '' },
      'acme/bastion/function.ts: the file does not exist',
    ],
    [
      'a module without a definition',
      { 'acme/bastion/function.ts': 'export const create = () => {}' },
      'acme/bastion/function.ts:1: no export `definition`',
    ],
    [
      'a definition that is an object of its own',
      { 'acme/bastion/function.ts': `export const definition = { name: 'acme', kind: 'Bastion' }` },
      'acme/bastion/function.ts:1: its `definition` is not the result of defineFunction',
    ],
    [
      'a module that throws',
      { 'acme/bastion/function.ts': `\n\nthrow new Error('out of order')\n` },
      'acme/bastion/function.ts:3: cannot load the file: out of order',
    ],
    [
      'a definition without a name',
      { 'acme/bastion/function.ts': fn(`kind: 'Bastion', type: 'acme'`) },
      `acme/bastion/function.ts:${line}: name: missing`,
    ],
  ])('%s', async (_, files, message) => {
    const problems = await problemsIn(files)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(message)
  })

  test.each([
    [
      'a file that the function imports and that throws',
      { 'zone.ts': "export const zone = 1\nthrow new Error('out of order')\n" },
      'acme/bastion/zone.ts:2: cannot load the file: out of order',
    ],
    [
      'a file that the function imports and that is not there',
      {},
      /^acme\/bastion\/function\.ts:2: cannot load the file: Cannot find module '.*zone\.ts'/,
    ],
  ])('%s', async (_, files, message) => {
    const problems = await problemsIn({
      'acme/bastion/function.ts':
        "const one = 1\nimport { zone } from './zone.ts'\nexport const definition = zone + one\n",
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`acme/bastion/${name}`, text])),
    })
    expect(problems).toEqual([expect.stringMatching(message)])
  })

  test('a definition outside of the folders of functions', async () => {
    const problems = await problemsIn({
      'function.ts': fn(dns),
      'acme/function.ts': fn(dns),
      'acme/bastion/function.ts': fn(dns),
    })
    const message = 'not allowed here: a function must be in <provider>/<kind>/function.ts'
    expect(problems).toEqual([`function.ts: ${message}`, `acme/function.ts: ${message}`])
  })

  test('two functions with a definition created in another file', async () => {
    const define = `${imports}export const define = () => defineFunction({ ${dns},
  create: () => ({ reconcile: async () => done(), remove: async () => done() }) })
`
    const made = "import { define } from '../testing/define.ts'\nexport const definition = define()\n"
    const problems = await problemsIn({
      'acme/testing/define.ts': define,
      'acme/a/function.ts': made,
      'acme/b/function.ts': made,
    })
    expect(problems).toEqual([
      expect.stringMatching(
        /^acme\/b\/function\.ts: the name acme-dns is already used by .*acme\/a\/function\.ts: /,
      ),
      expect.stringMatching(
        /^acme\/b\/function\.ts: DNSRecord of type acme in class shoot already has a primary function: .*acme\/a\/function\.ts\. Give/,
      ),
    ])
  })

  test('all errors at once', async () => {
    const problems = await problemsIn({
      'acme/a/function.ts': fn(`kind: 'Bastion', type: ''`),
      'acme/b/function.ts': fn(dns),
      'acme/c/function.ts': fn(dns),
      'acme/d/x.ts': '',
    })
    expect(problems.map(problem => problem.slice(0, 'acme/a'.length))).toEqual([
      'acme/a',
      'acme/a',
      'acme/d',
      'acme/c',
      'acme/c',
    ])
  })
})
