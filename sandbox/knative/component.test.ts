import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { withComponent } from './component.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-component-'))
})
afterAll(() => rm(folder, { recursive: true }))

const base = {
  name: 'base.yaml',
  text: `
kind: Trigger
metadata: { name: one, annotations: { kept: "1" } }
spec: { broker: default }
---
kind: Trigger
metadata: { name: one-more }
---
kind: Broker
metadata: { name: one }
`,
}

const put = async (kustomization: string) => {
  await writeFile(join(folder, 'kustomization.yaml'), kustomization)
  await writeFile(
    join(folder, 'broker.yaml'),
    'kind: Broker\nmetadata: { name: any }\nspec: { class: other }\n',
  )
  await writeFile(join(folder, 'more.yaml'), 'kind: ConfigMap\nmetadata: { name: more }\n')
  const files = await withComponent([base], folder)
  return files.flatMap(({ text }) => parseAllDocuments(text).map(document => document.toJS()))
}
const head = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n'

test('a component adds objects and patches its targets, with names that match a whole expression', async () => {
  expect(
    await put(`${head}
resources: [more.yaml]
patches:
  - path: broker.yaml
    target: { kind: Broker, name: one }
  - patch: |
      kind: Trigger
      metadata: { name: any, annotations: { added: "2" } }
    target: { kind: Trigger, name: one|two }
`),
  ).toEqual([
    {
      kind: 'Trigger',
      metadata: { name: 'one', annotations: { kept: '1', added: '2' } },
      spec: { broker: 'default' },
    },
    { kind: 'Trigger', metadata: { name: 'one-more' } },
    { kind: 'Broker', metadata: { name: 'one' }, spec: { class: 'other' } },
    { kind: 'ConfigMap', metadata: { name: 'more' } },
  ])
})

test('a component with other fields is refused', async () => {
  await expect(put(`${head}namePrefix: x-\n`)).rejects.toThrow('namePrefix')
})
