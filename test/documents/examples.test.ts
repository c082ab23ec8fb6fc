import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface ExampleObject {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

const readExample = async (file: string): Promise<readonly ExampleObject[]> =>
  [...parseAllDocuments(await readFile(`${root}${file}`, 'utf8'))].flatMap(document => document.toJS() ?? [])

test('two examples of one seed do not change the shoots of each other', async () => {
  const found = new Map<string, { readonly file: string; readonly object: ExampleObject }>()
  const files = globSync('examples/*/*.yaml', { cwd: root }).toSorted()
  expect(files.length).toBeGreaterThan(20)
  for (const file of files)
    for (const object of await readExample(file)) {
      const { kind, metadata } = object
      // Examples also contain objects that a function creates itself, for `trellis plan`.
      if (!['Cluster', 'Namespace', 'Secret'].includes(kind) || metadata.name.startsWith('generated-'))
        continue
      const id = `${kind} ${metadata.namespace ?? ''}/${metadata.name}`
      const other = found.get(id)
      if (other === undefined) found.set(id, { file, object })
      else expect(object, `${id} of ${file} and ${other.file}`).toEqual(other.object)
    }
})
