import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'

const examples = join(import.meta.dirname, '../examples')
const folders = readdirSync(examples, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)
/** The files in the order in which kubectl applies a folder. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(examples, folder))
    .filter(name => name.endsWith('.yaml'))
    .toSorted()
const objectsIn = (path: string): readonly KubernetesObject[] =>
  parseAllDocuments(readFileSync(join(examples, path), 'utf8')).map(
    document => document.toJS() as KubernetesObject,
  )

/** The page of the folder says which file comes first. */
const needsOthers = 'bastion'

test.each(folders.filter(folder => folder !== needsOthers))(
  'kubectl applies all of examples/%s: a namespace comes before its objects',
  folder => {
    const namespaces = new Set<string | undefined>([undefined])
    const early: string[] = []
    for (const file of filesIn(folder))
      for (const { kind, metadata } of objectsIn(`${folder}/${file}`)) {
        if (kind === 'Namespace') namespaces.add(metadata.name)
        else if (!namespaces.has(metadata.namespace)) early.push(`${file}: ${kind} ${metadata.name}`)
      }
    expect(early).toEqual([])
  },
)

test('the page of the examples names each of them and its final state', () => {
  const page = readFileSync(join(examples, 'README.md'), 'utf8')
  const all = folders.flatMap(folder => filesIn(folder).map(file => `${folder}/${file}`))
  expect(all.filter(path => !page.includes(`](${path})`))).toEqual([])
})
