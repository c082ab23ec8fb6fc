import { afterEach, describe, expect, test } from 'vitest'
import { DefinitionError } from '../shared/runtime/runtime.ts'
import { findFunctions } from './find-functions.ts'
import { findGardenObjects } from './find-garden-objects.ts'
import { functionFolder } from './testing/function-folder.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of undo.splice(0)) await remove()
})

const folderOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await functionFolder(files)
  undo.push(folder.remove)
  return folder.root
}

const definition = (annotations = '') => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: roses.acme.example
  ${annotations}
spec: { group: acme.example, names: { plural: roses } }
`
const role = (label: string) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: acme
  labels: { ${label} }
rules: [{ apiGroups: [acme.example], resources: [roses], verbs: [get] }]
`
const member = 'rbac.gardener.cloud/aggregate-to-project-member: "true"'

describe('the objects of a garden', () => {
  test('are found by provider, in files of any number of documents, and are not functions', async () => {
    const root = await folderOf({
      'acme/garden-objects/roses.yaml': `---${definition()}---${role(member)}---\n`,
      'acme/garden-objects/README.md': '# Objects',
      'other/garden-objects/role.yml': role('rbac.gardener.cloud/aggregate-to-extension-role: florist'),
      'none/provider/a.yaml': definition(),
    })
    const found = await findGardenObjects(root)
    expect(
      found.map(({ provider, objects }) => [
        provider,
        objects.map(({ kind, metadata }) => [kind, metadata.name]),
      ]),
    ).toEqual([
      [
        'acme',
        [
          ['CustomResourceDefinition', 'roses.acme.example'],
          ['ClusterRole', 'acme'],
        ],
      ],
      ['other', [['ClusterRole', 'acme']]],
    ])
    expect(await findFunctions(root)).toEqual([])
  })

  test('retain a definition with the objects of users, unless it says otherwise', async () => {
    const annotationsOf = async (annotations?: string) => {
      const root = await folderOf({
        'acme/garden-objects/a.yaml': `${definition(annotations)}---${role(member)}`,
      })
      const [one] = await findGardenObjects(root)
      return one?.objects.map(({ metadata }) => metadata.annotations)
    }
    expect(await annotationsOf()).toEqual([
      { 'resources.gardener.cloud/keep-object': 'true', 'helm.sh/resource-policy': 'keep' },
      undefined,
    ])
    expect(
      await annotationsOf('annotations: { resources.gardener.cloud/keep-object: "false", a: b }'),
    ).toEqual([
      { 'resources.gardener.cloud/keep-object': 'false', 'helm.sh/resource-policy': 'keep', a: 'b' },
      undefined,
    ])
  })

  test.each([
    ['apiVersion: v1\nkind: Secret\nmetadata: { name: a }', 'Secret a: expected a CustomResourceDefinition'],
    ['kind: ClusterRole', 'apiVersion: expected a string'],
    [role(member.replaceAll('"', '')), 'metadata.labels'],
    [
      role('app: acme'),
      'no member of a project has this role. Add a label, such as rbac.gardener.cloud/aggregate-to-',
    ],
    [
      role('rbac.gardener.cloud/aggregate-to-project-membr: "true"'),
      'did you mean rbac.gardener.cloud/aggregate-to-project-member?',
    ],
    [role(member.replace('true', 'yes')), 'expected "true"'],
    [
      role(`rbac.gardener.cloud/aggregate-to-extension-role: ${'a'.repeat(21)}`),
      'expected a name of at most 20 characters',
    ],
    [
      definition().replace('plural: roses', 'plural: rose'),
      'the API server expects the name rose.acme.example',
    ],
    [`${definition()}---${definition()}`, 'CustomResourceDefinition roses.acme.example exists twice'],
    ['a: [', 'BAD_'],
  ])('%j is refused with its file', async (text, message) => {
    const root = await folderOf({
      'acme/garden-objects/a.yaml': text,
      'acme/garden-objects/b.yaml': role('app: a'),
    })
    const error: unknown = await findGardenObjects(root).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DefinitionError)
    const lines = (error as DefinitionError).message.split('\n')
    expect(lines.find(line => line.startsWith(`${root}/acme/garden-objects/a.yaml: `))).toContain(message)
    expect(lines.some(line => line.startsWith(`${root}/acme/garden-objects/b.yaml: `))).toBe(true)
  })
})
