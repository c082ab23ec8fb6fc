import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compactRepositoryDeployment, repositoryDeployment } from '../repository-deployment.ts'
import { componentFiles } from './component-files.ts'
import { admissionFiles, baseFiles } from './manifest-files.ts'

test.each([
  ['base', baseFiles(await repositoryDeployment())],
  ['compact', baseFiles(await compactRepositoryDeployment())],
  ['admission', admissionFiles(await repositoryDeployment())],
  ['components/without-oidc', componentFiles(await repositoryDeployment(), 'without-oidc')],
  ['components/without-gardener', componentFiles(await repositoryDeployment(), 'without-gardener')],
] as const)('knative/%s is what follows from the definitions: make manifests', async (name, files) => {
  const folder = new URL(`../${name}/`, import.meta.url)
  const written = await readdir(folder, { recursive: true })
  expect(written.filter(file => file.endsWith('.yaml')).toSorted()).toEqual([...files.keys()].toSorted())
  for (const [file, text] of files) expect(await readFile(new URL(file, folder), 'utf8'), file).toBe(text)
})
