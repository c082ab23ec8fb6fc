import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { projectDeployment, seedProcessDeployment } from '../../build/project/project-deployment.ts'
import { componentFiles } from './component-files.ts'
import { admissionFiles, baseFiles, monitoringFiles } from './manifest-files.ts'

const folders = [
  ['base', baseFiles(await projectDeployment())],
  ['admission', admissionFiles(await projectDeployment())],
  ['components/without-oidc', componentFiles(await projectDeployment(), 'without-oidc')],
  ['components/without-gardener', componentFiles(await projectDeployment(), 'without-gardener')],
  ['seed-process', baseFiles(await seedProcessDeployment())],
  [
    'components/seed-process-without-gardener',
    componentFiles(await seedProcessDeployment(), 'seed-process-without-gardener'),
  ],
  ['monitoring/manifests', monitoringFiles()],
] as const

test.each(folders)('knative/%s matches the definitions: make manifests', async (name, files) => {
  const folder = new URL(`../${name}/`, import.meta.url)
  const written = await readdir(folder, { recursive: true })
  expect(written.filter(file => file.endsWith('.yaml')).toSorted()).toEqual([...files.keys()].toSorted())
  for (const [file, text] of files) expect(await readFile(new URL(file, folder), 'utf8'), file).toBe(text)
})

// kubectl, kustomize and Helm read YAML 1.1, in which unquoted `Off`, `no` and `1:30` are not strings.
test.each(folders)('knative/%s means the same in YAML 1.1', (_, files) => {
  const readAs = (text: string, version: '1.1' | '1.2') =>
    parseAllDocuments(text, { version }).map(document => document.toJSON())
  for (const [file, text] of files) expect(readAs(text, '1.1'), file).toEqual(readAs(text, '1.2'))
})
